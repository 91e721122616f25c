import { isCancelled, useNotify, useProject } from '@pult/sdk'
import { Alert, Button, Dialog, DialogActions } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import { useProducts, useSetRoles } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import type { Holder } from './holders.ts'
import { RoleChoice } from './RoleChoice.tsx'

interface EditRolesProps {
  person: Holder
  /** A role that the person has requested, initially ticked. */
  requested?: string | undefined
  open: boolean
  onClose: () => void
}

/** All roles of a person, saved in one step. */
export function EditRoles({ person: { personId, name, grants }, requested, open, onClose }: EditRolesProps) {
  const project = useProject()
  const { data: products = [] } = useProducts()
  const { mutateAsync: save, isPending, error, reset } = useSetRoles()
  const notify = useNotify()
  const held = grants.flatMap(({ productRole }) => (productRole === null ? [] : [productRole]))
  const offered = requested === undefined || held.includes(requested) ? held : [...held, requested]
  const [ticked, setTicked] = useState<string[] | null>(null)
  const chosen = ticked ?? offered

  const close = () => {
    onClose()
    setTicked(null)
    reset()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    try {
      await save({ personId, productRoles: chosen })
      notify({ title: texts.rolesChanged(name), tone: 'success' })
      close()
    } catch {
      // The form shows the error and stays open.
    }
  }
  return (
    // Closes while the action runs, because a step-up dialog may need its place.
    <Dialog
      open={open && !isPending}
      title={texts.rolesOf(name)}
      unsaved={!isSame(chosen, offered)}
      onClose={close}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <RoleChoice products={products} project={project} held={held} chosen={chosen} onChange={setTicked} />
        {chosen.length === 0 && <p>{texts.atLeastOneRole}</p>}
        {error !== null && !isCancelled(error) && (
          <Alert tone="danger" title={texts.roleFailed}>
            {error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" disabled={isSame(chosen, held) || chosen.length === 0}>
            {texts.saveRoles}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const isSame = (roles: readonly string[], others: readonly string[]) =>
  roles.length === others.length && roles.every((role) => others.includes(role))
