package mine;

import java.util.List;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimProvider;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Tally;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.construct.ConstructionRun;
import org.lemmata.setting.Catalogue;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.task.TaskProvider;

/** Providers that are refused. */
final class Unusable {

    private Unusable() {}

    private static List<Claim> claims(Paper paper, String id) {
        return List.of(ComputedClaim.asStated(id, new Source(paper, "lemma 1"), "A statement.")
                .range("one case")
                .test((scope, computation) -> new Tally().finding("it holds")));
    }

    /** Cannot be made. */
    public static final class Unmade implements ClaimProvider {

        private Unmade() {
            throw new IllegalStateException("never called");
        }

        @Override
        public List<Claim> claims() {
            return List.of();
        }
    }

    /** Throws when it is made. */
    public static final class Throwing implements ClaimProvider {

        public Throwing() {
            throw new IllegalStateException("no place\nto be");
        }

        @Override
        public List<Claim> claims() {
            return List.of();
        }
    }

    /** Throws when it is asked. */
    public static final class Silent implements ClaimProvider {

        @Override
        public List<Claim> claims() {
            throw new UnsupportedOperationException("ask another");
        }
    }

    /** Offers nothing. */
    public static final class Empty implements ClaimProvider {

        @Override
        public List<Claim> claims() {
            return List.of();
        }
    }

    /** Has an id of Lemmata's. */
    public static final class Taken implements ClaimProvider {

        @Override
        public List<Claim> claims() {
            return Unusable.claims(Paper.DEPTH, "depth.claim-5.3");
        }
    }

    /** Would put its evidence among Lemmata's. */
    public static final class Among implements ClaimProvider {

        @Override
        public List<Claim> claims() {
            return Unusable.claims(Paper.DEPTH, "depth.of-mine");
        }
    }

    /** Has a path for an id. */
    public static final class Elsewhere implements ClaimProvider {

        @Override
        public List<Claim> claims() {
            return Unusable.claims(Mine.SOURCE.paper(), "mine./../../secret");
        }
    }

    /** Has an id without its paper's key. */
    public static final class Keyless implements ClaimProvider {

        @Override
        public List<Claim> claims() {
            return Unusable.claims(Mine.SOURCE.paper(), "holds");
        }
    }

    /** Has a task's name of Lemmata's. */
    public static final class Tasks implements TaskProvider {

        @Override
        public List<Catalogue.Entry<Task>> entries() {
            return List.of(new Catalogue.Entry<>("dyck-words", "", Mine.SOURCE, "", settings -> {
                throw new AssertionError("never made");
            }));
        }
    }

    /** Has a construction's name of Lemmata's. */
    public static final class Constructions implements ConstructionProvider {

        @Override
        public List<Catalogue.Entry<ConstructionRun>> entries() {
            return List.of(new Catalogue.Entry<>("simple-task", "", Mine.SOURCE, "", settings -> {
                throw new AssertionError("never made");
            }));
        }
    }
}
