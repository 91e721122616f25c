import { ButtonLink, Card, EmptyState, Page, PageHead } from '@pult/ui'
import FolderPlus from 'lucide-react/icons/folder-plus'
import { useState } from 'react'
import { useCredentials } from '#platform/use-credentials.ts'
import { useFirstSteps } from '../first-steps/first-steps.queries.ts'
import { texts } from './home.texts.ts'
import type { HomePageProps } from './ProjectHome.tsx'

/** Home without a project. Root sees the first steps beside it. */
export function NoProject({ FirstSteps, Refused }: Pick<HomePageProps, 'FirstSteps' | 'Refused'>) {
  const { isRoot, firstname } = useCredentials()
  const hasSteps = useFirstSteps().facts !== undefined
  const [part] = useState(() => partOfDay(new Date()))
  if (!isRoot || !hasSteps)
    return (
      <Page width="data">
        <Refused />
        <NoProjectCard level={1} />
      </Page>
    )
  return (
    <Page
      width="reading"
      head={
        <>
          <Refused />
          <PageHead title={greetings[part](firstname)} text={texts.stepsLeft} />
        </>
      }
      side={<NoProjectCard level={2} isAside />}
    >
      <FirstSteps />
    </Page>
  )
}

const greetings = { morning: texts.goodMorning, afternoon: texts.goodAfternoon, evening: texts.goodEvening }

function partOfDay(now: Date): keyof typeof greetings {
  const hour = now.getHours()
  return hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
}

function NoProjectCard({ level, isAside = false }: { level: 1 | 2; isAside?: boolean }) {
  return (
    <Card>
      <EmptyState
        level={level}
        icon={<FolderPlus aria-hidden="true" />}
        title={texts.noProject}
        text={texts.noProjectText}
        action={
          <ButtonLink variant={isAside ? 'secondary' : 'primary'} href="/projects/create">
            {texts.createProject}
          </ButtonLink>
        }
      />
    </Card>
  )
}
