# Writes words of 1 to 8 letters with their reverses, and longer ones to test, as a data set into this directory.
import json, random
random.seed(1)
def example(n):
    word = random.choices("abcd", k=n)
    return {"input": word + ["="] + word[:0:-1], "target": word[::-1], "position": list(range(n, 2 * n))}
for split, count, longest in ("train", 2000, 8), ("test", 400, 12):
    with open(split + ".jsonl", "w") as file:
        for _ in range(count):
            print(json.dumps(example(random.randint(1, longest))), file=file)
with open("manifest.json", "w") as file:
    json.dump({"vocabulary": list("abcd="), "splits": {"train": {}, "test": {}}}, file)
