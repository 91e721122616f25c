import { isCancelled, useApi, useAppNavigate, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { Alert, Button, Dialog, DialogActions } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import styles from './edges.module.css'
import { useEditableProjects, useReadAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { type ChosenProject, ProjectSelect } from './ProjectSelect.tsx'

/** Moves the edge to another project of the user. */
export function MoveDialog({ edge: { _id: edgeId, label }, onClose }: { edge: Edge; onClose: () => void }) {
  const call = useApi()
  const navigate = useAppNavigate()
  const notify = useNotify()
  const readAgain = useReadAgain()
  const { _id: projectId } = useProject()
  const { data } = useEditableProjects('')
  const hasNone = data?.hasMore === false && data.items.every(({ _id }) => _id === projectId)
  const [target, setTarget] = useState<ChosenProject | null>(null)
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ _id: project }: ChosenProject) =>
      call(edgeEndpoints.move, { params: { projectId, edgeId }, body: { project } }),
    onSuccess: (_moved, project) => {
      notify({ title: texts.moved(label, project.label), tone: 'success' })
      navigate('', { replace: true })
    },
    onSettled: readAgain,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (target !== null && !isPending) mutate(target)
  }
  return (
    <Dialog open title={texts.move} onClose={onClose}>
      <form onSubmit={submit}>
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
        {error !== null && !isCancelled(error) && (
          <Alert tone="danger" title={texts.moveFailed}>
            {error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" disabled={target === null} pending={isPending}>
            {texts.move}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
