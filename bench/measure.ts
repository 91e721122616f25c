/** Returns the percentile by nearest rank: the measured value below which the given share (0..1) of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('A percentile needs values')
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.max(1, Math.ceil(share * sorted.length))
  return sorted[rank - 1] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('A median needs values')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Computes the area under the ROC curve: the share of pairs in which the value of `positives` is greater than that of
 * `negatives`; ties count half. At 0.5 a value reveals nothing about its group, at 0 and 1 it reveals the group with
 * certainty. Computed as the Mann-Whitney U over mid-ranks.
 */
export function auc(positives: readonly number[], negatives: readonly number[]): number {
  if (positives.length === 0 || negatives.length === 0) throw new Error('Both groups need values')
  const all = [
    ...positives.map((value) => ({ value, isPositive: true })),
    ...negatives.map((value) => ({ value, isPositive: false })),
  ].toSorted((a, b) => a.value - b.value)

  let rankSum = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    let positivesHere = 0
    while (end < all.length && all[end]?.value === all[start]?.value) {
      if (all[end]?.isPositive) positivesHere += 1
      end += 1
    }
    rankSum += positivesHere * ((start + 1 + end) / 2)
    start = end
  }
  const smallest = (positives.length * (positives.length + 1)) / 2
  return (rankSum - smallest) / (positives.length * negatives.length)
}

/** Returns the deviation of the AUC from 0.5 that two equal groups stay within in 95 of 100 runs. */
export function aucNoise(positives: number, negatives: number): number {
  return 1.96 * Math.sqrt((positives + negatives + 1) / (12 * positives * negatives))
}
