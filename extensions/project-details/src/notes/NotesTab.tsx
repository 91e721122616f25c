import { limits, type Note, noteEndpoints } from '@pult/contract'
import { Alert, ButtonLink, Card, EmptyState, TextAreaField, TextField, VisuallyHidden } from '@pult/ui'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import Pin from 'lucide-react/icons/pin'
import StickyNote from 'lucide-react/icons/sticky-note'
import { usePageTitle } from '#platform/page-title.ts'
import { ResourcePage } from '#platform/resource/ResourcePage.tsx'
import type { ViewOf } from '#platform/resource/resource-view.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import styles from './NotesPage.module.css'
import { mayUseNotes } from './notes.queries.ts'
import { texts } from './notes.texts.ts'
import { PinNote } from './PinNote.tsx'

/** What the people of the active project write down for each other. */
export function NotesPage() {
  const project = useActiveProject()
  const credentials = useCredentials()
  if (project === null) return <NoProject />
  if (!mayUseNotes(credentials, project)) return <AccessDenied />
  return <ResourcePage key={project._id} view={notesOf(project._id)} />
}

const notesOf = (projectId: string): ViewOf<typeof noteEndpoints> => ({
  endpoints: noteEndpoints,
  params: { projectId },
  path: '/notes',
  topic: `/projects/${projectId}/notes`,
  texts: texts.resource,
  icon: <StickyNote aria-hidden="true" />,
  labelOf: ({ label }) => label,
  detailOf: (note) => beginningOf(note) ?? texts.noText,
  markOf: ({ isPinned }) =>
    isPinned && (
      <>
        <Pin aria-hidden="true" />
        <VisuallyHidden>{texts.pinned}</VisuallyHidden>
      </>
    ),
  valuesOf: ({ label, text }) => ({ label, text }),
  empty: { label: '', text: '' },
  clean: ({ label, text }) => ({ label: label.trim(), text }),
  problemsOf: ({ label }) => (label === '' ? { label: texts.labelMissing } : {}),
  fieldLabels: { label: texts.label, text: texts.text },
  renderFields: ({ text }) => (
    <>
      <TextField label={texts.label} autoComplete="off" maxLength={limits.labelMax} {...text('label')} />
      <TextAreaField
        className={styles.text}
        label={texts.text}
        maxLength={limits.noteMax}
        {...text('text')}
      />
    </>
  ),
  copyOf: ({ label, text }) => ({ label: texts.copyOf(label).slice(0, limits.labelMax), text }),
  actions: (note) => <PinNote projectId={projectId} note={note} />,
})

/** The first line with something in it. */
const beginningOf = ({ text }: Note) => /\S.*/.exec(text)?.[0]

function AccessDenied() {
  usePageTitle(texts.resource.title)
  return (
    <>
      <VisuallyHidden>
        <h1>{texts.resource.title}</h1>
      </VisuallyHidden>
      <Alert tone="danger" title={texts.accessDenied}>
        {texts.accessDeniedText}
      </Alert>
    </>
  )
}

function NoProject() {
  usePageTitle(texts.resource.title)
  return (
    <Card>
      <EmptyState
        level={1}
        icon={<FolderKanban aria-hidden="true" />}
        title={texts.noProject}
        text={texts.noProjectText}
        action={
          <ButtonLink variant="primary" href="/projects">
            {texts.projects}
          </ButtonLink>
        }
      />
    </Card>
  )
}
