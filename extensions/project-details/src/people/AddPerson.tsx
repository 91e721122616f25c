import { useNotify, useProject } from '@pult/sdk'
import { type Account, limits } from '@pult/sdk/api'
import { useSettled, Waiting } from '@pult/sdk/resource'
import { Alert, Button, Dialog, DialogActions, SelectField, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import { useAddGrant, useFoundPeople, useProducts } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './People.module.css'
import { RoleOptions } from './RoleOptions.tsx'

interface AddPersonProps {
  open: boolean
  onClose: () => void
}

/** Root gives somebody who has an account a role. */
export function AddPerson({ open, onClose }: AddPersonProps) {
  return (
    <Dialog open={open} title={texts.addTitle} onClose={onClose} size="md">
      {/* Begins anew each time. */}
      {open && <AddPersonForm onClose={onClose} />}
    </Dialog>
  )
}

function AddPersonForm({ onClose }: Pick<AddPersonProps, 'onClose'>) {
  const project = useProject()
  const { data: products = [] } = useProducts()
  const { mutateAsync: add, isPending, error } = useAddGrant()
  const [person, setPerson] = useState<Account | null>(null)
  const [productRole, setProductRole] = useState('')
  const notify = useNotify()

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (person === null || productRole === '' || isPending) return
    try {
      await add({ user: person._id, productRole })
      notify({ title: texts.added(nameOf(person)), tone: 'success' })
      onClose()
    } catch {
      // The form says why, and stays.
    }
  }

  return (
    <form className={styles.add} onSubmit={(event) => void submit(event)} noValidate>
      <p>{texts.addText}</p>
      <PersonChoice chosen={person} onChoose={setPerson} />
      <SelectField
        label={texts.role}
        value={productRole}
        onChange={({ target }) => setProductRole(target.value)}
      >
        <option value="" disabled>
          {texts.chooseRole}
        </option>
        <RoleOptions products={products} project={project} />
      </SelectField>
      {error !== null && (
        <Alert tone="danger" title={texts.addFailed}>
          {error.message}
        </Alert>
      )}
      <DialogActions>
        <Button onClick={onClose} disabled={isPending}>
          {texts.cancel}
        </Button>
        <Button
          type="submit"
          variant="primary"
          disabled={person === null || productRole === ''}
          pending={isPending}
        >
          {texts.add}
        </Button>
      </DialogActions>
    </form>
  )
}

interface PersonChoiceProps {
  chosen: Account | null
  onChoose: (person: Account) => void
}

function PersonChoice({ chosen, onChoose }: PersonChoiceProps) {
  const [search, setSearch] = useState('')
  const { data: found, error, refetch } = useFoundPeople(useSettled(search.trim(), 250))
  // The chosen one stays in sight, whatever is searched for.
  const isElsewhere = chosen !== null && found?.some(({ _id }) => _id === chosen._id) === false
  const people = isElsewhere ? [chosen, ...(found ?? [])] : found
  return (
    <>
      <TextField
        type="search"
        label={texts.findPerson}
        autoComplete="off"
        autoFocus
        maxLength={limits.searchMax}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {people === undefined ? (
        <Waiting failed={texts.peopleFailed} error={error} onRetry={() => void refetch()} />
      ) : people.length === 0 ? (
        <p className={styles.none}>{texts.nobodyFound}</p>
      ) : (
        <fieldset className={styles.found} aria-label={texts.found}>
          {people.map((person) => (
            <label key={person._id} className={styles.person}>
              <input
                type="radio"
                name="person"
                checked={person._id === chosen?._id}
                onChange={() => onChoose(person)}
              />
              <span>
                {nameOf(person)}
                <span className={styles.address}>{person.email}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}

const nameOf = ({ firstname, lastname }: Account) => `${firstname} ${lastname}`
