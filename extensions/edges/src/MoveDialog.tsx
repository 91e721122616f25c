import { useAppNavigate, useChange, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { FormDialog } from '@pult/sdk/resource'
import { useState } from 'react'
import styles from './edges.module.css'
import { edgeData, useEditableProjects } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { type ChosenProject, ProjectSelect } from './ProjectSelect.tsx'

/** Moves the edge to another project of the user. */
export function MoveDialog({ edge: { _id: edgeId, label }, onClose }: { edge: Edge; onClose: () => void }) {
  const navigate = useAppNavigate()
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const { data } = useEditableProjects('')
  const hasNone = data?.hasMore === false && data.items.every(({ _id }) => _id === projectId)
  const [target, setTarget] = useState<ChosenProject | null>(null)
  const { mutateAsync } = useChange(
    edgeEndpoints.move,
    (project: string) => ({ params: { projectId, edgeId }, body: { project } }),
    {
      touches: edgeData,
      leaves: `/projects/${projectId}/edges/${edgeId}`,
      onSuccess: () => {
        notify({ title: texts.moved(label, target?.label ?? ''), tone: 'success' })
        navigate('', { replace: true })
      },
    },
  )
  return (
    <FormDialog
      title={texts.move}
      submit={texts.move}
      failed={texts.moveFailed}
      disabled={target === null}
      save={() => mutateAsync(target?._id ?? '')}
      // The page of the edge closes with its dialog.
      onSaved={() => {}}
      onClose={onClose}
    >
      {hasNone ? (
        <p className={styles.quiet}>{texts.moveNone}</p>
      ) : (
        <ProjectSelect
          label={texts.moveTo}
          description={texts.moveText}
          except={projectId}
          value={target}
          onChange={setTarget}
        />
      )}
    </FormDialog>
  )
}
