import { useChange, useNotify, useProject } from '@pult/sdk'
import { type BodyOf, limits, type ReplyOf, taskTokenEndpoints } from '@pult/sdk/api'
import { useDraft, useUnsavedInput } from '@pult/sdk/resource'
import { Button, SelectField, TextField } from '@pult/sdk/ui'
import type { SubmitEvent } from 'react'
import styles from './Tokens.module.css'
import { texts } from './tokens.texts.ts'

/** The possible lifetimes of a token, in days. */
const lifetimes = [30, limits.taskTokenDays, 180, 365]

interface CreateTokenProps {
  /** `{extension}/{kind}`: the possible scopes of a token. */
  types: readonly string[]
  onCreated: (made: ReplyOf<typeof taskTokenEndpoints.create>) => void
}

/** A new token before any input. */
const empty = { label: '', chosen: [] as readonly string[], days: limits.taskTokenDays as number }

export function CreateToken({ types, onCreated }: CreateTokenProps) {
  const { _id: projectId } = useProject()
  const { mutateAsync: create, isPending } = useChange(
    taskTokenEndpoints.create,
    (body: BodyOf<typeof taskTokenEndpoints.create>) => ({ params: { projectId }, body }),
    // The reply contains the token.
    { touches: [taskTokenEndpoints.list], gcTime: 0 },
  )
  const notify = useNotify()
  const [draft, setDraft] = useDraft('project-details task token', empty)
  const { label, chosen, days } = draft
  useUnsavedInput(label !== '' || chosen.length > 0 || days !== limits.taskTokenDays)

  const change = (changed: Partial<typeof empty>) => setDraft((now) => ({ ...now, ...changed }))
  const toggle = (type: string) =>
    change({ chosen: chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type] })
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (label.trim() === '' || chosen.length === 0 || isPending) return
    try {
      onCreated(await create({ label, types: [...chosen], days }))
      setDraft((now) => (now === draft ? empty : now))
    } catch (error) {
      // The input stays for correction.
      notify({ title: texts.createFailed, error })
    }
  }

  if (types.length === 0) return <p className={styles.none}>{texts.noTypes}</p>
  return (
    <form className={styles.create} onSubmit={(event) => void submit(event)} noValidate>
      <h3>{texts.add}</h3>
      <TextField
        label={texts.label}
        description={texts.labelHint}
        autoComplete="off"
        maxLength={limits.labelMax}
        value={label}
        onChange={({ target }) => change({ label: target.value })}
      />
      <fieldset className={styles.types}>
        <legend>{texts.types}</legend>
        {withWholeExtensions(types).map((type) => (
          <label key={type} className={styles.type}>
            <input
              type="checkbox"
              checked={chosen.includes(type)}
              // A token for the whole extension includes its kinds.
              disabled={!type.endsWith('/*') && chosen.includes(wholeOf(type))}
              onChange={() => toggle(type)}
            />
            {type.endsWith('/*') ? texts.allOf(type.slice(0, -2)) : <code>{type}</code>}
          </label>
        ))}
      </fieldset>
      <SelectField
        label={texts.lifetime}
        value={days}
        onChange={({ target }) => change({ days: Number(target.value) })}
      >
        {lifetimes.map((count) => (
          <option key={count} value={count}>
            {texts.days(count)}
          </option>
        ))}
      </SelectField>
      <Button
        type="submit"
        disabled={label.trim() === '' || chosen.length === 0}
        pending={isPending}
        pendingLabel={texts.creating}
      >
        {texts.create}
      </Button>
    </form>
  )
}

const wholeOf = (type: string) => `${type.split('/')[0] ?? ''}/*`

/** Each extension's kinds are preceded by "all kinds". */
const withWholeExtensions = (types: readonly string[]): string[] =>
  [...new Set(types.flatMap((type) => [wholeOf(type), type]))].toSorted()
