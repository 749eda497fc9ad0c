/**
 * {@code rowguard merge}: regions that hold nothing, or little, become one with their neighbours,
 * where that takes away no boundary that is still wanted. {@link io.rowguard.tools.merge.MergePlan}
 * decides, {@link io.rowguard.tools.merge.RegionMerges} asks and does.
 */
package io.rowguard.tools.merge;
