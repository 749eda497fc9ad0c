/**
 * The steps of {@code rowguard relayout}, which take a live table from one layout to another: plan,
 * start, run, pause, resume, status, finish, back.
 *
 * <ul>
 *   <li>{@link io.rowguard.tools.relayout.RelayoutCommand} and one {@code StepCommand} per step;
 *       {@code RelayoutArguments}, {@code RelayoutSession}: a step at a terminal; {@code
 *       RelayoutReport}, {@code StepLines}: its output
 *   <li>{@code RelayoutSteps}: the steps without a terminal. Begin here. {@code StepRequest},
 *       {@code StepOutcome}, {@code RelayoutStatus}, {@code StepListener}, {@code Patience}: what
 *       goes in and comes out
 *   <li>{@code AlteredTable}, {@code RelayoutDeclaration}: the table and the alters of the steps;
 *       {@code TablePoll}, {@code RegionCounts}: the regions' own word; {@code MajorCompaction}
 *   <li>{@code RelayoutPlanner}: plan. It makes a {@code RelayoutPlan} of {@code PlanFindings} and
 *       {@code RelayoutObstacle}s, which {@code TableObstacles}, {@code RunningWork}, {@code
 *       ClusterFiles}, {@code ReplicationFindings} and {@code ServerCapabilities} find; {@code
 *       MoveSample}, {@code SeenRegion}, {@code MoveFigures} and {@code MoveEstimate} say how much
 *       moves
 *   <li>{@code RelayoutStart}: start, with {@code StrayRows}, {@code NewRegions}, {@code
 *       RegionSplits} and {@code RegionSpread}
 *   <li>{@code RelayoutRunner}: run, and {@code MoveJobs} as MapReduce jobs
 *   <li>{@code RelayoutFinish}: finish
 * </ul>
 */
package io.rowguard.tools.relayout;
