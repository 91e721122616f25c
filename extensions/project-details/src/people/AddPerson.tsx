import { isCancelled, useCall, useNotify, useProject } from '@pult/sdk'
import { limits } from '@pult/sdk/api'
import { type Account, rootPeopleEndpoints } from '@pult/sdk/api/root'
import { useSettled, Waiting } from '@pult/sdk/resource'
import { Alert, Button, Dialog, DialogActions, TextField } from '@pult/sdk/ui'
import { keepPreviousData } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useProducts, useSetRoles } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './People.module.css'
import { RoleChoice } from './RoleChoice.tsx'

interface AddPersonProps {
  open: boolean
  onClose: () => void
}

/** Lets root give roles to a person with an account, all in one step. */
export function AddPerson({ open, onClose }: AddPersonProps) {
  const [entered, setEntered] = useState(nothingEntered)
  const adding = useSetRoles()
  const close = () => {
    onClose()
    setEntered(nothingEntered)
    adding.reset()
  }
  const isUnsaved = entered.person !== null || entered.productRoles.length > 0
  return (
    // Closes while the action runs, because a step-up dialog may need its place.
    <Dialog
      open={open && !adding.isPending}
      title={texts.addTitle}
      unsaved={isUnsaved}
      onClose={close}
      size="md"
    >
      <AddPersonForm entered={entered} onEnter={setEntered} adding={adding} onClose={close} />
    </Dialog>
  )
}

interface Entered {
  person: Account | null
  productRoles: string[]
}
const nothingEntered: Entered = { person: null, productRoles: [] }

interface AddPersonFormProps extends Pick<AddPersonProps, 'onClose'> {
  entered: Entered
  onEnter: (entered: Entered) => void
  adding: ReturnType<typeof useSetRoles>
}

function AddPersonForm({ entered, onEnter, adding, onClose }: AddPersonFormProps) {
  const project = useProject()
  const { data: products = [] } = useProducts()
  const { mutateAsync: add, isPending, error } = adding
  const { person, productRoles } = entered
  const notify = useNotify()
  /** Existing roles of the person, which remain. */
  const heldBy = ({ _id }: Account) =>
    project.grants.flatMap(({ user, productRole }) =>
      user === _id && productRole !== null ? [productRole] : [],
    )

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (person === null || productRoles.length === 0 || isPending) return
    try {
      await add({ personId: person._id, productRoles: [...new Set([...heldBy(person), ...productRoles])] })
      notify({ title: texts.added(nameOf(person)), tone: 'success' })
      onClose()
    } catch {
      // The form shows the error and stays open.
    }
  }

  return (
    <form className={styles.add} onSubmit={(event) => void submit(event)} noValidate>
      <p>{texts.addText}</p>
      <PersonChoice chosen={person} onChoose={(chosen) => onEnter({ ...entered, person: chosen })} />
      <RoleChoice
        products={products}
        project={project}
        held={[]}
        chosen={productRoles}
        onChange={(chosen) => onEnter({ ...entered, productRoles: chosen })}
      />
      {error !== null && !isCancelled(error) && (
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
          disabled={person === null || productRoles.length === 0}
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

/** Number of accounts that a search offers. More of the name finds the others. */
const peopleOffered = 20

function PersonChoice({ chosen, onChoose }: PersonChoiceProps) {
  const [search, setSearch] = useState('')
  const settled = useSettled(search.trim(), 250)
  const { data, error, refetch } = useCall(
    rootPeopleEndpoints.list,
    { query: { limit: String(peopleOffered), sort: 'name', search: settled } },
    { placeholderData: keepPreviousData },
  )
  const found = data?.items
  // The chosen account stays visible during a search.
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
        <p className={styles.none}>{texts.noPersonFound}</p>
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
                <span className={styles.address}>
                  {person.email}
                  {!person.isEmailVerified && ` · ${texts.emailNotVerified}`}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {data?.next !== undefined && <p className={styles.none}>{texts.morePeople(data.items.length)}</p>}
    </>
  )
}

const nameOf = ({ firstname, lastname }: Account) => `${firstname} ${lastname}`
