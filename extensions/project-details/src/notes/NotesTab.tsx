import { useProject } from '@pult/sdk'
import { firstCharacters, limits, type Note, noteEndpoints } from '@pult/sdk/api'
import { ResourcePage, type ViewOf } from '@pult/sdk/resource'
import { TextAreaField, TextField, VisuallyHidden } from '@pult/sdk/ui'
import Pin from 'lucide-react/icons/pin'
import StickyNote from 'lucide-react/icons/sticky-note'
import styles from './NotesTab.module.css'
import { texts } from './notes.texts.ts'
import { PinNote } from './PinNote.tsx'

/** The project's shared notes. */
export function NotesTab() {
  const { _id } = useProject()
  return <ResourcePage view={notesOf(_id)} />
}

const notesOf = (projectId: string): ViewOf<typeof noteEndpoints> => ({
  endpoints: noteEndpoints,
  searchKeys: ['label', 'pinned'],
  params: { projectId },
  path: 'notes',
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
  copyOf: ({ label, text }) => ({ label: firstCharacters(texts.copyOf(label), limits.labelMax), text }),
  actions: (note) => <PinNote projectId={projectId} note={note} />,
})

/** Returns the first non-empty line. */
const beginningOf = ({ text }: Note) => /\S.*/.exec(text)?.[0]
