import { isCancelled, useApi, useNotify, useRun } from '@pult/sdk'
import type { Project } from '@pult/sdk/api'
import { type GrantOfPerson, rootGrantEndpoints } from '@pult/sdk/api/root'
import { Alert, Button, Dialog, DialogActions } from '@pult/sdk/ui'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { accounts } from './accounts.queries.ts'
import { texts } from './accounts.texts.ts'
import { ProjectChoice } from './ProjectChoice.tsx'
import { RoleSelect } from './RoleSelect.tsx'

interface AddGrantDialogProps {
  personId: string
  open: boolean
  onClose: () => void
}

/** Creates a grant in a project and then assigns its role. */
export function AddGrantDialog({ personId, open, onClose }: AddGrantDialogProps) {
  const [project, setProject] = useState<Project | null>(null)
  const [role, setRole] = useState('')
  const call = useApi()
  const close = () => {
    onClose()
    setProject(null)
    setRole('')
  }
  const add = async () => {
    const projectId = project?._id ?? ''
    const { _id: grantId } = await call(rootGrantEndpoints.add, {
      params: { projectId },
      body: { user: personId },
    })
    const params = { projectId, grantId }
    try {
      await call(rootGrantEndpoints.update, { params, body: { productRole: role } })
    } catch (error) {
      // A grant without its role is incomplete and would make a retry fail, so it is removed.
      await call(rootGrantEndpoints.remove, { params })
      throw error
    }
  }
  return (
    <RoleForm
      open={open}
      title={texts.addGrantTitle}
      done={texts.granted}
      missing={project === null ? 'project' : role === '' ? 'role' : null}
      unsaved={project !== null}
      save={add}
      onClose={close}
    >
      {(missing) => (
        <>
          <ProjectChoice
            chosen={project}
            error={missing === 'project' ? texts.projectMissing : undefined}
            onChoose={(chosen) => {
              setProject(chosen)
              setRole('')
            }}
          />
          {project !== null && (
            <RoleSelect
              products={project.products}
              value={role}
              error={missing === 'role' ? texts.chooseRole : undefined}
              onChange={setRole}
            />
          )}
        </>
      )}
    </RoleForm>
  )
}

interface ChangeRoleDialogProps {
  grant: GrantOfPerson
  open: boolean
  onClose: () => void
}

/** Changes a grant's role to another one of the project's products. */
export function ChangeRoleDialog({ grant, open, onClose }: ChangeRoleDialogProps) {
  const { _id: grantId, project, productRole } = grant
  const [chosen, setChosen] = useState<string | null>(null)
  const role = chosen ?? productRole ?? ''
  const call = useApi()
  const close = () => {
    onClose()
    setChosen(null)
  }
  return (
    <RoleForm
      open={open}
      title={texts.changeRoleTitle(project.label)}
      done={texts.roleChanged}
      missing={role === '' ? 'role' : null}
      unsaved={role !== (productRole ?? '')}
      save={() =>
        call(rootGrantEndpoints.update, {
          params: { projectId: project._id, grantId },
          body: { productRole: role },
        })
      }
      onClose={close}
    >
      {(missing) => (
        <RoleSelect
          products={project.products}
          value={role}
          error={missing === 'role' ? texts.chooseRole : undefined}
          onChange={setChosen}
        />
      )}
    </RoleForm>
  )
}

type Missing = 'project' | 'role' | null

interface RoleFormProps {
  open: boolean
  title: string
  done: string
  missing: Missing
  unsaved: boolean
  save: () => Promise<unknown>
  onClose: () => void
  /** Missing fields are marked only after the first attempt to submit. */
  children: (missing: Missing) => ReactNode
}

function RoleForm({ open, title, done, missing, unsaved, save, onClose, children }: RoleFormProps) {
  const [hasTried, setTried] = useState(false)
  const notify = useNotify()
  const { mutateAsync, isPending, error, reset } = useRun(save, { touches: accounts })

  const close = () => {
    onClose()
    setTried(false)
    reset()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (missing !== null || isPending) return
    try {
      await mutateAsync()
      notify({ title: done, tone: 'success' })
      close()
    } catch {
      // The dialog shows the error and keeps the selection.
    }
  }
  return (
    <Dialog open={open} title={title} unsaved={unsaved} size="md" onClose={close}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        {children(hasTried ? missing : null)}
        {error !== null && !isCancelled(error) && (
          <Alert tone="danger" title={texts.grantFailed}>
            {error.message}
          </Alert>
        )}
        <DialogActions>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" pending={isPending} pendingLabel={texts.saving}>
            {texts.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
