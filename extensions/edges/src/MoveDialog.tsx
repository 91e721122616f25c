import { isCancelled, useApi, useAppNavigate, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { Alert, Button, Dialog, DialogActions, SelectField } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import styles from './edges.module.css'
import { useEditableProjects, useReadAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

/** Moves the edge to another project of the user. */
export function MoveDialog({ edge: { _id: edgeId, label }, onClose }: { edge: Edge; onClose: () => void }) {
  const call = useApi()
  const navigate = useAppNavigate()
  const notify = useNotify()
  const readAgain = useReadAgain()
  const { _id: projectId } = useProject()
  const { data } = useEditableProjects()
  const others = data?.filter(({ _id }) => _id !== projectId) ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const target = others.find(({ _id }) => _id === chosen) ?? others[0]
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ _id: project }: { _id: string; label: string }) =>
      call(edgeEndpoints.move, { params: { projectId, edgeId }, body: { project } }),
    onSuccess: (_moved, project) => {
      notify({ title: texts.moved(label, project.label), tone: 'success' })
      navigate('', { replace: true })
    },
    onSettled: readAgain,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (target !== undefined && !isPending) mutate(target)
  }
  return (
    <Dialog open title={texts.move} onClose={onClose}>
      <form onSubmit={submit}>
        {data !== undefined && others.length === 0 ? (
          <p className={styles.quiet}>{texts.moveNone}</p>
        ) : (
          <SelectField
            label={texts.moveTo}
            description={texts.moveText}
            value={target?._id ?? ''}
            onChange={(event) => setChosen(event.target.value)}
          >
            {others.map(({ _id, label: name }) => (
              <option key={_id} value={_id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {error !== null && !isCancelled(error) && (
          <Alert tone="danger" title={texts.moveFailed}>
            {error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" disabled={target === undefined} pending={isPending}>
            {texts.move}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
