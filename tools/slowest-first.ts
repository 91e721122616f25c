import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects by the duration of their files, slowest first, for a machine without cached durations. */
const slowestProjects = ['e2e', 'gallery', 'console', 'server', 'unit', 'dom']

/**
 * Starts the slowest files first, so that no worker ends long after the others. vitest caches the durations of the
 * last run. Files without a duration come first, in the order of their projects.
 */
export default class SlowestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const orderBySize = super.sort.bind(this)
    const bySize = await orderBySize(specifications)
    const place = ({ project }: TestSpecification) => slowestProjects.indexOf(project.name)
    const durationOf = (specification: TestSpecification) =>
      this.ctx.cache.getTestSpecificationResult(specification)?.duration ?? Number.MAX_VALUE
    return bySize.toSorted((a, b) => durationOf(b) - durationOf(a) || place(a) - place(b))
  }
}
