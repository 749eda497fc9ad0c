/**
 * The rowkey layout: one declaration of what the rowkeys of a table look like, and everything that
 * follows from it. Pure Java, no HBase, all byte arithmetic of Rowguard in one place.
 *
 * <pre>{@code
 * layout: {salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}
 * value: user = alice
 * value: time = 1763596800000
 * derived: salt = 13
 * row: 13-alice|\x7F\xFF\xFEeapo\xFF
 * bare: alice|\x7F\xFF\xFEeapo\xFF
 * refused: 07-alice|\x7F\xFF\xFEeapo\xFF -> WRONG_SALT at 0
 * }</pre>
 *
 * <p>A <em>bare key</em> is a key without what is derived; a <em>salted row</em> is the row as
 * HBase stores it, with all its derived segments in place.
 *
 * <p>The layout:
 *
 * <ul>
 *   <li>{@link io.rowguard.layout.RowkeyLayout}: parses, checks and explains; completes bare keys
 *       and strips rows; encodes and decodes values; reads prefixes
 *   <li>{@link io.rowguard.layout.LayoutSyntaxException}: a text that is no layout, and where
 *   <li>{@link io.rowguard.layout.Part}: what a layout is made of, from left to right
 *   <li>{@link io.rowguard.layout.Literal}: bytes that are the same in every row
 *   <li>{@link io.rowguard.layout.Segment}: a named part that holds a value
 *   <li>{@link io.rowguard.layout.SegmentType}: what a segment may hold, and how many bytes
 *   <li>{@link io.rowguard.layout.Derivation}: how a derived segment gets its value
 *   <li>{@link io.rowguard.layout.BucketStep}: from which value on it has more buckets
 *   <li>{@link io.rowguard.layout.Hash}: the hashes of derivations, pinned by golden vectors
 *   <li>{@link io.rowguard.layout.HashInput}: what of a segment goes into a hash
 *   <li>{@link io.rowguard.layout.Remainder}: how a hash becomes a bucket
 *   <li>{@link io.rowguard.layout.LayoutChange}: two layouts with the same bare keys, between which
 *       rows can move
 *   <li>{@link io.rowguard.layout.KnownLayouts}: all layouts by which a table's rows may be named
 * </ul>
 *
 * <p>What a row gets for an answer:
 *
 * <ul>
 *   <li>{@link io.rowguard.layout.Verdict}: the codes of what can be wrong with a row
 *   <li>{@link io.rowguard.layout.Explanation}: where a row is wrong, why, and what would be right
 * </ul>
 *
 * <p>Boundaries:
 *
 * <ul>
 *   <li>{@link io.rowguard.layout.EntityGroup}: which rows must stay in one region
 *   <li>{@link io.rowguard.layout.LayoutBoundaries}: where a region may be cut by a layout
 *   <li>{@link io.rowguard.layout.PrefixBoundaries}: where it may be cut by a prefix of rows
 *   <li>{@link io.rowguard.layout.LegalBoundaries}: what the two have in common
 *   <li>{@link io.rowguard.layout.Legality}: whether a key is a legal boundary, and why not
 *   <li>{@link io.rowguard.layout.PrefixSegment}: what a boundary holds of a segment
 * </ul>
 *
 * <p>Buckets:
 *
 * <ul>
 *   <li>{@link io.rowguard.layout.SaltBuckets}: which buckets a range of bare keys is in
 *   <li>{@link io.rowguard.layout.SaltBucket}: where bare keys are among the rows of one bucket
 *   <li>{@link io.rowguard.layout.KeyRange}: a range of keys, each bound inclusive or exclusive
 * </ul>
 *
 * <p>Order and text:
 *
 * <ul>
 *   <li>{@link io.rowguard.layout.RowOrder}: the order of rows
 *   <li>{@link io.rowguard.layout.RowText}: bytes as HBase's shell writes and reads them
 * </ul>
 *
 * <p>Internals, package-private:
 *
 * <ul>
 *   <li>a layout is read by {@code LayoutParser} and {@code DerivationParser} from a {@code
 *       LayoutText}, and judged by {@code LayoutRules}
 *   <li>a length in front of a value is a {@code LengthPrefix}
 *   <li>a row is checked by {@code RowCheck}: its structure by {@code RowMatcher}, noting {@code
 *       TwoRanges} where that helps, one {@code PartMatcher} per part, with {@code Alphabet} and
 *       {@code Utf8}, and explained by {@code Explainer}
 *   <li>a derived segment is computed by {@code DerivedValue}, of one {@code DerivedTerm} or two
 *       and with {@code BucketSteps}; hashes by {@code Hasher} from the {@code HasherPool}
 *   <li>values become bytes in {@code RowEncoder}, {@code ValueCodec} and {@code NumberForm}; bare
 *       keys become rows, and back, in {@code BareKeys}, and in one pass by {@code FrontSalt};
 *       {@code Ambiguity} looks for those that pass for rows
 *   <li>prefixes are followed byte by byte by {@code PrefixAutomaton}, {@code PrefixState} and
 *       {@code PrefixWalk}, with {@code BucketNumbers}; bare ones by {@code BareWalk}
 *   <li>boundaries are searched by {@code Reachability}, {@code EvenDivision} (with {@code
 *       Fraction}) and {@code SampleDivision}; the buckets of a range by {@code RangeBeginning}
 *   <li>{@code ByteRanges} compares and searches bytes
 * </ul>
 *
 * <p>All byte ranges are compared as unsigned bytes, a prefix before what it begins, as HBase
 * orders rows. Starts are inclusive, ends exclusive.
 */
package io.rowguard.layout;
