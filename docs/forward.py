"""The outputs of a transformer that `lemmata train` left, by the formulas of Architecture.java, in binary64.

python3 docs/forward.py RUN < FILE prints for each line, of symbols with blanks between them, <start> included where the
model has it, a JSON list: the logits at each position (of regression one number each), as `lemmata logits RUN --each`.
"""
import json
import math
import sys
import numpy as np


def tensors(path):
    """A safetensors file: the header's length, the header in JSON, the numbers."""
    with open(path, "rb") as file:
        header, data = json.loads(file.read(int.from_bytes(file.read(8), "little"))), file.read()
    types = {"F64": "<f8", "F32": "<f4", "F16": "<f2"}
    return {name: np.frombuffer(data[slice(*of["data_offsets"])], types[of["dtype"]]).reshape(of["shape"]).astype(float)
            for name, of in header.items() if name != "__metadata__"}


def forward(architecture, w, ids):
    a, f, norms = architecture["attention"], architecture["feedForward"], architecture["normalization"]
    n, heads, placement = len(ids), a["heads"], norms["placement"]
    activations = {"RELU": lambda x: np.maximum(x, 0), "COSINE": np.cos,
                   "GELU": np.vectorize(lambda x: x / 2 * math.erfc(-x / math.sqrt(2)), otypes=[float]),
                   "TANH_GELU": lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))}
    affine = lambda x, name: x @ w[name] + w.get(name + "_bias", 0)
    split = lambda x: x.reshape(n, heads, a["headWidth"]).transpose(1, 0, 2)
    read = lambda x, name: norm(x, name) if placement == "PRE" else x

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True) if norms["kind"] == "LAYER" else x
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + norms["epsilon"])
        return x * w.get(name + ".gain", 1) + w.get(name + ".shift", 0)
    def add(x, y, name):
        y = x + y if architecture["residual"] else y
        return norm(y, name) if placement == "POST" else y

    distance = np.arange(n)[:, None] - np.arange(n)
    seen = (distance >= 0) | (a["mask"] == "NONE")
    counted = np.full((n, 1), n) if a["logLength"] == "SEQUENCE" else seen.sum(1, keepdims=True)
    factor = np.log2(counted) if a["logLength"] else 1 / math.log(2)
    keys, values = (m / a["scoreScale"], m) if (m := a.get("identityMultiplier", 0)) else (1, 1)  # a adds to scaled scores
    positions = w.get("position_embedding", np.zeros((1, 1)))
    x = w["token_embedding"][ids] + positions[np.arange(n) % len(positions)]
    for layer in (f"layer.{i}." for i in range(architecture["layers"])):
        u, weights = read(x, layer + "attention_norm"), seen[None].astype(float)
        if a["weighting"] != "UNIFORM":
            q, k = split(affine(u, layer + "query")), split(affine(u, layer + "key"))
            if a["normalizeQueriesAndKeys"]:
                q, k = norm(q, layer + "query_norm"), norm(k, layer + "key_norm")
            same = keys * w[layer + "key_query_identity"][:, None, None] * (u @ u.T) if a["identities"] else 0
            scores, span = (q @ k.transpose(0, 2, 1) + same) * a["scoreScale"], a["scoreBiasSpan"]
            if span:
                near = w[layer + "score_bias"][:, distance.clip(0, span - 1)]
                scores = scores + np.where((distance >= 0) & (distance < span), near, 0)
            gap = np.where(seen, np.where(seen, scores, -np.inf).max(-1, keepdims=True) - scores, 0)
            soft = np.exp2(-gap * factor)
            weights = seen * {"SOFTMAX": soft, "HARDMAX": gap < 1e-9,  # equal but for the order of sums
                              "THRESHOLDED": soft * (gap * factor < a["thresholdBits"])}[a["weighting"]]
        weights = np.broadcast_to(weights / weights.sum(-1, keepdims=True), (heads, n, n))
        y = (weights @ split(affine(u, layer + "value"))).transpose(1, 0, 2).reshape(n, -1)
        y = affine(y, layer + "output") if a["outputProjection"] else y
        y = y + (values * np.einsum("h,hij,jd->id", w[layer + "value_output_identity"], weights, u) if a["identities"] else 0)
        x = add(x, y, layer + "attention_norm")
        if f:
            hidden = affine(read(x, layer + "feed_forward_norm"), layer + "first")
            hidden = norm(hidden, layer + "inner_norm") if placement == "INNER" else hidden
            x = add(x, affine(activations[f["activation"]](hidden), layer + "second"), layer + "feed_forward_norm")
    return read(x, "final_norm") @ w.get("unembedding", w["token_embedding"]).T + w.get("unembedding_bias", 0)


if __name__ == "__main__":
    config, weights = json.load(open(sys.argv[1] + "/config.json")), tensors(sys.argv[1] + "/weights.safetensors")
    symbols = {symbol: i for i, symbol in enumerate(config["lemmata.vocabulary"])}
    for line in sys.stdin:  # symbols of one character need no blanks
        words = [one for word in line.split() for one in ([word] if word in symbols else word)]
        if unknown := set(words) - set(symbols):
            sys.exit(f"forward.py: expected {' '.join(symbols)}, got {min(unknown)!r}")
        print(json.dumps(forward(config["lemmata.architecture"], weights, [symbols[word] for word in words]).tolist()))
