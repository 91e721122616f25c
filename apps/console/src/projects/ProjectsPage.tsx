import type { Project } from '@pult/contract'
import { Waiting } from '@pult/sdk/resource'
import { Button, ButtonLink, Card, EmptyState, PageHeader, TextField, VisuallyHidden } from '@pult/ui'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { groupByOrganisation } from './group-by-organisation.ts'
import { ProjectRow } from './ProjectRow.tsx'
import styles from './ProjectsPage.module.css'
import { useProjectList } from './project-list.queries.ts'
import { texts } from './projects.texts.ts'

/** All projects of the person, by organisation: choosing one makes it the active one. */
export function ProjectsPage() {
  usePageTitle(texts.title)
  const [search, setSearch] = useState('')
  const page = useArrowKeys<HTMLDivElement>()
  const { items, total, isSearching, error, retry, more } = useProjectList(search)
  return (
    <div className={styles.page} ref={page}>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <ButtonLink variant="primary" href="/projects/create" icon={<Plus aria-hidden="true" />}>
            {texts.create}
          </ButtonLink>
        }
      />
      {(total > 0 || search !== '') && (
        <TextField
          {...arrowStop}
          className={styles.search}
          type="search"
          label={texts.search}
          hideLabel
          placeholder={texts.search}
          description={isSearching ? texts.searching : texts.searchHint}
          prefix={<Search aria-hidden="true" />}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      {items === undefined || error !== null ? (
        <Card flush>
          <Waiting failed={texts.loadingFailed} error={error} onRetry={retry} />
        </Card>
      ) : (
        <Projects projects={items} isSearched={search.trim() !== ''} isSearching={isSearching} />
      )}
      {more && (
        <div className={styles.more}>
          <Button onClick={more.load} pending={more.isPending}>
            {texts.more}
          </Button>
        </div>
      )}
    </div>
  )
}

interface ProjectsProps {
  projects: readonly Project[]
  isSearched: boolean
  isSearching: boolean
}

function Projects({ projects, isSearched, isSearching }: ProjectsProps) {
  return (
    <>
      <VisuallyHidden role="status">
        {isSearched && !isSearching && texts.found(projects.length)}
      </VisuallyHidden>
      {projects.length === 0 && !isSearching && <NoProjects isSearched={isSearched} />}
      {groupByOrganisation(projects).map((group) => (
        <Card key={group.org ?? ''} title={group.label ?? texts.private} flush>
          <ul>
            {group.projects.map((project) => (
              <ProjectRow key={project._id} project={project} />
            ))}
          </ul>
        </Card>
      ))}
    </>
  )
}

function NoProjects({ isSearched }: { isSearched: boolean }) {
  return (
    <Card>
      {isSearched ? (
        <EmptyState
          icon={<Search aria-hidden="true" />}
          title={texts.nothingFound}
          text={texts.nothingFoundText}
        />
      ) : (
        <EmptyState
          icon={<FolderPlus aria-hidden="true" />}
          title={texts.none}
          text={texts.noneText}
          action={
            <ButtonLink variant="primary" href="/projects/create">
              {texts.create}
            </ButtonLink>
          }
        />
      )}
    </Card>
  )
}
