import { limits } from '@pult/contract'
import { useDraft, useLeaveWhenSaved, useSaveShortcut } from '@pult/sdk/resource'
import { Button, Card, Page, PageHead, TextField } from '@pult/ui'
import type { SubmitEvent } from 'react'
import { isSessionEnd } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import styles from './Organisations.module.css'
import { useCreateOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

export function CreateOrganisationPage() {
  const [draft, setDraft] = useDraft('new organisation', '')
  const { mutateAsync: create, isPending } = useCreateOrganisation()
  const label = draft.trim()
  const leave = useLeaveWhenSaved(label !== '')
  const form = useSaveShortcut()

  const save = async () => {
    try {
      await create({ label })
      leave('/orgs')
    } catch (error) {
      if (!isSessionEnd(error)) notify.error(texts.creatingFailed, error)
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
              label={texts.label}
              name="label"
              autoComplete="off"
              maxLength={limits.labelMax}
              value={draft}
              onChange={({ target }) => setDraft(target.value)}
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
