package org.lemmata.task.parity;

import java.util.Arrays;
import java.util.List;
import org.lemmata.argument.Refuse;
import org.lemmata.index.ParityTree;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.Task;
import org.lemmata.task.TaskProvider;

/** The task of Kim and Suzuki (2024). */
public final class ParityTasks implements TaskProvider {

    /** The settings of the tree: the number of bits, and the subset. */
    public static final String TREE = """
        bits | 16 | d, from 2 to %s
        subset | 1,2,3,4,5,6,7,8 | 2, 4, 8, ... positions, counted from 1; neighbours are paired in the order given
        """.formatted(ParityTree.MAX_BITS);

    @Override
    public List<Catalogue.Entry<Task>> entries() {
        return List.of(new Catalogue.Entry<>(
                ParityTask.NAME,
                "the parity of a subset of bits, with or without the parities that lead to it",
                ParityTask.SOURCE,
                Setting.table(
                        TREE + "chain | true | whether the parities of pairs, fours, ... come before the answer\n"),
                settings -> new ParityTask(tree(settings), settings.flag("chain"))));
    }

    /**
     * The tree of the settings {@link #TREE}.
     *
     * @throws IllegalArgumentException if the settings are not legal
     */
    public static ParityTree tree(Settings settings) {
        int bits = settings.requiredInteger("bits", 2, ParityTree.MAX_BITS);
        String expected = "positions between commas, such as 1,4,5,7";
        String text = settings.required("subset", expected);
        try {
            return new ParityTree(
                    bits,
                    Arrays.stream(text.split(",", -1))
                            .mapToInt(position -> Integer.parseInt(position.strip()))
                            .toArray());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("subset: expected " + expected + ", got " + Refuse.quoted(text), e);
        }
    }
}
