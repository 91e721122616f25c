import type { Condition } from '@pult/contract'
import { ButtonLink, DataCard, StateChip, TimeAgo } from '@pult/ui'
import type { CardProps } from './card-props.ts'
import { texts } from './condition.texts.ts'
import { Facts } from './Facts.tsx'

/** Background jobs of the server and tasks of all projects. */
export function JobsCard({ jobs, state }: { jobs: NonNullable<Condition['jobs']> } & CardProps) {
  const { oldest, tasks } = jobs
  const failed = jobs.failed + tasks.failed
  return (
    <DataCard
      state={state}
      title={texts.jobs}
      meta={
        failed > 0 ? (
          <StateChip status="warning">{texts.failures(failed)}</StateChip>
        ) : (
          <StateChip status="ok">{texts.noFailures}</StateChip>
        )
      }
      foot={<ButtonLink href="/tasks">{texts.showTasks}</ButtonLink>}
    >
      <Facts
        facts={[
          [texts.background, texts.jobsOf(jobs)],
          [texts.oldest, oldest === null ? texts.noneDue : <TimeAgo key="oldest" at={oldest} />],
          [texts.tasks, texts.jobsOf(tasks)],
          [texts.failedInDay, failed],
        ]}
      />
    </DataCard>
  )
}

/** The numbers of enabled, disabled and failing extensions. */
export function ExtensionsCard({
  extensions,
  state,
}: { extensions: NonNullable<Condition['extensions']> } & CardProps) {
  const { enabled, disabled, inTrouble } = extensions
  return (
    <DataCard
      state={state}
      title={texts.extensions}
      meta={
        inTrouble.length > 0 ? (
          <StateChip status="danger">{texts.inTrouble(inTrouble.length)}</StateChip>
        ) : (
          <StateChip status="ok">{texts.extensionsRun}</StateChip>
        )
      }
      foot={<ButtonLink href="/app/extensions">{texts.openExtensions}</ButtonLink>}
    >
      <Facts
        facts={[
          [texts.on, enabled],
          [texts.off, disabled],
        ]}
      />
    </DataCard>
  )
}
