import { limits } from '@pult/contract'
import { messageFor, useDraft, useLeaveWhenSaved, useSaveShortcut } from '@pult/sdk/resource'
import { Button, Card, Page, PageHead, TextField } from '@pult/ui'
import { type SubmitEvent, useRef } from 'react'
import { isSessionEnd } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import styles from './Organisations.module.css'
import { useCreateOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

export function CreateOrganisationPage() {
  const [draft, setDraft] = useDraft('new organisation', '')
  const { mutateAsync: create, isPending, error, reset } = useCreateOrganisation()
  const field = useRef<HTMLInputElement>(null)
  const label = draft.trim()
  const leave = useLeaveWhenSaved(label !== '')
  const form = useSaveShortcut()

  const save = async () => {
    try {
      await create({ label })
      leave('/orgs')
    } catch (failure) {
      if (messageFor('label', failure) !== undefined) field.current?.focus()
      if (!isSessionEnd(failure)) notify.error(texts.creatingFailed, failure)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (label !== '' && !isPending) void save()
  }

  return (
    <Page width="reading" head={<PageHead title={texts.createTitle} text={texts.createDescription} />}>
      <Card flush>
        <form ref={form} onSubmit={submit} noValidate>
          <div className={styles.field}>
            <TextField
              ref={field}
              label={texts.label}
              name="label"
              autoComplete="off"
              maxLength={limits.labelMax}
              value={draft}
              error={messageFor('label', error)}
              onChange={({ target }) => {
                reset()
                setDraft(target.value)
              }}
            />
          </div>
          <div className={styles.actions}>
            <Button
              type="submit"
              variant="primary"
              shortcut="Mod+S"
              pending={isPending}
              pendingLabel={texts.saving}
            >
              {texts.save}
            </Button>
          </div>
        </form>
      </Card>
    </Page>
  )
}
