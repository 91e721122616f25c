import { limits, type Profile } from '@pult/contract'
import { useDraft, useSaveShortcut, useUnsavedInput } from '@pult/sdk/resource'
import { Button, Card, PageHeader, TextField } from '@pult/ui'
import { type SubmitEvent, useState } from 'react'
import { ApiError } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import styles from './ProfilePage.module.css'
import { useUpdateProfile } from './profile.queries.ts'
import { texts } from './profile.texts.ts'

const fields = [
  { name: 'firstname', autoComplete: 'given-name' },
  { name: 'lastname', autoComplete: 'family-name' },
] as const

export function ProfilePage() {
  usePageTitle(texts.title)
  const saved = useCredentials()
  const [edited, setEdited] = useDraft<Partial<Profile>>('profile', {})
  const [wrong, setWrong] = useState<Partial<Profile>>({})
  const { mutateAsync: update, isPending } = useUpdateProfile()
  const form = useSaveShortcut()

  const changes = changesOf(edited, saved)
  const hasChanges = Object.keys(changes).length > 0
  useUnsavedInput(hasChanges)

  const edit = (change: Partial<Profile>) => {
    setEdited((now) => ({ ...now, ...change }))
    setWrong({})
  }
  const refuse = (messages: Partial<Profile>) => {
    setWrong(messages)
    const first = fields.find(({ name }) => messages[name] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name=${first.name}]`)?.focus()
  }
  const save = async () => {
    try {
      await update(changes)
      // What was typed while the answer was on its way stays.
      setEdited((now) => changesOf(now, { ...saved, ...changes }))
      notify.success(texts.updated)
    } catch (error) {
      // The login, in the place of this page, says so.
      if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return
      refuse(messagesOf(error))
      notify.error(texts.updateError, error)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || !hasChanges) return
    const tooShort = tooShortOf(changes)
    if (Object.keys(tooShort).length > 0) refuse(tooShort)
    else void save()
  }

  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Card flush>
        <form ref={form} onSubmit={submit} noValidate>
          <div className={styles.fields}>
            {fields.map(({ name, autoComplete }) => (
              <TextField
                key={name}
                label={texts[name]}
                name={name}
                autoComplete={autoComplete}
                maxLength={limits.nameMax}
                value={edited[name] ?? saved[name]}
                error={wrong[name]}
                onChange={({ target }) => edit({ [name]: target.value })}
              />
            ))}
          </div>
          <div className={styles.actions}>
            <Button
              type="submit"
              variant="primary"
              shortcut="Mod+S"
              disabled={!hasChanges}
              pending={isPending}
              pendingLabel={texts.saving}
            >
              {texts.save}
            </Button>
          </div>
        </form>
      </Card>
    </>
  )
}

/** What of the edited differs from the saved, as it is sent: spaces around a name are no change. */
function changesOf(edited: Partial<Profile>, saved: Profile): Partial<Profile> {
  const changes: Partial<Profile> = {}
  for (const { name } of fields) {
    const value = edited[name]?.trim()
    if (value !== undefined && value !== saved[name]) changes[name] = value
  }
  return changes
}

function tooShortOf(changes: Partial<Profile>): Partial<Profile> {
  const messages: Partial<Profile> = {}
  for (const { name } of fields) {
    const value = changes[name]
    // As the server counts: a character outside the basic plane is one.
    if (value !== undefined && [...value].length < limits.nameMin) messages[name] = texts.tooShort
  }
  return messages
}

/** What the server says about each field. */
function messagesOf(error: unknown): Partial<Profile> {
  const messages: Partial<Profile> = {}
  const issues = error instanceof ApiError ? error.issues : []
  for (const { name } of fields) {
    const issue = issues.find(({ path }) => path[0] === name)
    if (issue) messages[name] = issue.message
  }
  return messages
}
