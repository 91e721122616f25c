import { limits, type Profile, profileEndpoints } from '@pult/contract'
import { type Problems, useFormFields, useSaveShortcut, useUnsavedInput } from '@pult/sdk/resource'
import { Button, Card, PageHead, TextField } from '@pult/ui'
import type { SubmitEvent } from 'react'
import { ApiError } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import styles from './ProfilePage.module.css'
import { useUpdateProfile } from './profile.queries.ts'
import { texts } from './profile.texts.ts'

type Names = Pick<Profile, 'firstname' | 'lastname'>

const fields = [
  { name: 'firstname', autoComplete: 'given-name' },
  { name: 'lastname', autoComplete: 'family-name' },
] as const

const clean = ({ firstname, lastname }: Names): Names => ({
  firstname: firstname.trim(),
  lastname: lastname.trim(),
})

export function ProfilePage() {
  const { firstname, lastname } = useCredentials()
  const saved = { firstname, lastname }
  const { mutateAsync: update, isPending } = useUpdateProfile()
  const element = useSaveShortcut()
  const { form, changes, hasChanges, isFit, refuse, settle } = useFormFields<Names>({
    name: 'profile names',
    saved: { values: saved },
    clean,
    problemsOf: (names) => problemsIn(names, saved),
    element,
  })
  useUnsavedInput(hasChanges)

  const save = async () => {
    try {
      await update(changes)
      // Input typed during the call stays.
      settle({ values: { ...saved, ...changes } })
      notify.success(texts.updated)
    } catch (error) {
      // The sign-in page replaces this page and reports the end of the session.
      if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return
      refuse(error)
      notify.error(texts.updateError, error)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isPending && hasChanges && isFit()) void save()
  }

  return (
    <>
      <PageHead title={texts.title} text={texts.description} />
      <Card flush>
        <form ref={element} onSubmit={submit} noValidate>
          <div className={styles.fields}>
            {fields.map(({ name, autoComplete }) => (
              <TextField
                key={name}
                label={texts[name]}
                autoComplete={autoComplete}
                maxLength={limits.nameMax}
                {...form.text(name)}
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

/** Changed names that the contract rejects as too short. The server's other errors have their own texts. */
function problemsIn(names: Names, saved: Names): Problems<Names> {
  const changed = Object.entries(names).filter(([name, value]) => value !== saved[name as keyof Names])
  const { error } = profileEndpoints.update.body.safeParse(Object.fromEntries(changed))
  const tooShort = error?.issues.filter(({ code }) => code === 'too_small') ?? []
  return Object.fromEntries(tooShort.map(({ path: [name] }) => [String(name), texts.tooShort]))
}
