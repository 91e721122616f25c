import { limits, type Project } from '@pult/contract'
import { useDraft, useSaveShortcut, useUnsavedInput } from '@pult/sdk/resource'
import { Button, Card, PageHeader, TextField } from '@pult/ui'
import { type SubmitEvent, useEffect, useState } from 'react'
import { isSessionEnd } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import { usePageTitle } from '#platform/page-title.ts'
import styles from './CreateProjectPage.module.css'
import { type ChosenOrganisation, OrganisationSelect } from './OrganisationSelect.tsx'
import { openProject } from './open-project.ts'
import { useCreateProject } from './project-list.queries.ts'
import { texts } from './projects.texts.ts'

interface Draft {
  label: string
  org: ChosenOrganisation | null
}

/** The new project becomes the active one. */
export function CreateProjectPage() {
  usePageTitle(texts.createTitle)
  const [draft, setDraft] = useDraft<Draft>('new project', { label: '', org: null })
  const [created, setCreated] = useState<Project | null>(null)
  const { mutateAsync: create, isPending } = useCreateProject()
  const form = useSaveShortcut()
  const label = draft.label.trim()
  useUnsavedInput(label !== '' && created === null)
  useEffect(() => {
    // Here, not when it was saved: by now the input does not count as unsaved any more.
    if (created !== null) openProject(created)
  }, [created])

  const save = async () => {
    try {
      const project = await create({ label, org: draft.org?._id ?? null })
      setCreated(project)
    } catch (error) {
      if (!isSessionEnd(error)) notify.error(texts.savingFailed, error)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (label !== '' && !isPending && created === null) void save()
  }

  return (
    <div className={styles.page}>
      <PageHeader title={texts.createTitle} description={texts.createDescription} />
      <Card flush>
        <form ref={form} onSubmit={submit} noValidate>
          <div className={styles.fields}>
            <TextField
              label={texts.label}
              name="label"
              autoComplete="off"
              maxLength={limits.labelMax}
              value={draft.label}
              onChange={({ target }) => setDraft((now) => ({ ...now, label: target.value }))}
            />
            <OrganisationSelect value={draft.org} onChange={(org) => setDraft((now) => ({ ...now, org }))} />
          </div>
          <div className={styles.actions}>
            <Button
              type="submit"
              variant="primary"
              shortcut="Mod+S"
              pending={isPending || created !== null}
              pendingLabel={texts.saving}
            >
              {texts.save}
            </Button>
          </div>
        </form>
      </Card>
    </div>
  )
}
