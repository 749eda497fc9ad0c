/**
 * The {@code rowguard} command: plans tables before they exist and looks at those that do. Java 17,
 * never on a server.
 *
 * <pre>
 * rowguard explain  LAYOUT [KEY...]     what a layout means, what is wrong with a key
 * rowguard presplit LAYOUT -n N         split keys that are legal, and a judgement of others
 * rowguard generate NAME ...            keys as an application would write them
 * rowguard simulate LAYOUT ...          many keys into a table: which regions get them
 * rowguard doctor   [TABLE...]          what is wrong with the guarded tables of a live cluster
 * rowguard heatmap  TABLE               which regions of a live table are read and written
 * rowguard hot      TABLE               which of its keys, and what to do about it
 * rowguard audit    TABLE               which of its rows do not fit
 * rowguard digest   TABLE               its cells by bare key: the same as another table's?
 * rowguard relayout STEP TABLE          another layout for a live table, step by step
 * rowguard adopt    SYSTEM [TABLE]      the alter that guards a table of another system
 * rowguard merge    TABLE               regions that are empty or small become one
 *
 * rowguard explain '{id:hex(16)}' 4f1bd09c21e7a3b5      a row: exit code 0
 * rowguard explain '{id:hex(16)}' 4F1BD09C21E7A3B5      no row, and it says why: exit code 1
 * </pre>
 *
 * <p>Every command keeps to these manners: exit code 0 when all is well, 1 when it found problems,
 * 2 when it was used wrongly or could not do its work; an error is one line on standard error that
 * says the way out; standard output holds the answer and nothing else; stack traces only with
 * {@code --debug}; colours never with {@code NO_COLOR}.
 *
 * <p>HBase is loaded only by what talks to a cluster, from within {@link
 * io.rowguard.tools.cluster.ClusterOptions}. Commands themselves name no class of it, so that
 * everything else needs nothing but the layout, and {@link io.rowguard.model} the chooser of split
 * points, which knows no HBase either; so it starts quickly.
 */
package io.rowguard.tools;
