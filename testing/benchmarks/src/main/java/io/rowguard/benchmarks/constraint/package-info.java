/**
 * The alternative without Rowguard: constraints for HBase's {@code ConstraintProcessor}, one for
 * each of four layouts. Each takes the row as text, splits it and looks at the pieces, as code of
 * this kind usually does; none goes out of its way to be slow, or fast.
 */
package io.rowguard.benchmarks.constraint;
