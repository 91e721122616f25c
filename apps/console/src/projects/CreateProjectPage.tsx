import { firstCharacters, limits, type Project } from '@pult/contract'
import { usePageQuery } from '@pult/sdk'
import { messageFor, useDraft, useSaveShortcut, useUnsavedInput } from '@pult/sdk/resource'
import { Button, Card, Page, PageHead, TextField } from '@pult/ui'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { isSessionEnd } from '#platform/api-error.ts'
import { notify } from '#platform/notify.ts'
import styles from './CreateProjectPage.module.css'
import { type ChosenOrganisation, OrganisationSelect } from './OrganisationSelect.tsx'
import { chooseProject } from './open-project.ts'
import { ProductChoice } from './ProductChoice.tsx'
import { readOffered, suggestedAmong, useOfferedProducts } from './products.queries.ts'
import { useCreateProject } from './project-list.queries.ts'
import { texts } from './projects.texts.ts'

interface Draft {
  label: string
  org: ChosenOrganisation | null
  /** Null for the suggested products. */
  products: string[] | null
}

/** Creates a project and makes it the active one. */
export function CreateProjectPage() {
  // A search in the switcher may have suggested the label.
  const [{ label: suggested = '' }] = usePageQuery()
  const [draft, setDraft] = useDraft<Draft>('new project', {
    label: firstCharacters(suggested, limits.labelMax),
    org: null,
    products: null,
  })
  const [created, setCreated] = useState<Project | null>(null)
  const { mutateAsync: create, isPending, error, reset } = useCreateProject()
  const field = useRef<HTMLInputElement>(null)
  const form = useSaveShortcut()
  const offered = useOfferedProducts()
  const products = draft.products ?? suggestedAmong(offered.data)
  const label = draft.label.trim()
  useUnsavedInput(label !== '' && created === null)
  useEffect(() => {
    // In an effect, because the input counts as unsaved until this render.
    if (created !== null) chooseProject(created)
  }, [created])

  const save = async () => {
    try {
      const project = await create({
        label,
        org: draft.org?._id ?? null,
        // The products may still be loading.
        products: draft.products ?? suggestedAmong(await readOffered()),
      })
      setCreated(project)
    } catch (failure) {
      if (messageFor('label', failure) !== undefined) field.current?.focus()
      if (!isSessionEnd(failure)) notify.error(texts.savingFailed, failure)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (label === '' || isPending) return
    // The user may have stayed for the unsaved input of a window. Saving again then opens the project.
    if (created !== null) chooseProject(created)
    else void save()
  }

  return (
    <Page width="reading" head={<PageHead title={texts.createTitle} text={texts.createDescription} />}>
      <Card flush>
        <form ref={form} onSubmit={submit} noValidate>
          <div className={styles.fields}>
            <TextField
              ref={field}
              label={texts.label}
              name="label"
              data-first-field=""
              autoComplete="off"
              maxLength={limits.labelMax}
              value={draft.label}
              error={messageFor('label', error)}
              onChange={({ target }) => {
                reset()
                setDraft((now) => ({ ...now, label: target.value }))
              }}
            />
            <OrganisationSelect value={draft.org} onChange={(org) => setDraft((now) => ({ ...now, org }))} />
          </div>
          <ProductChoice
            offered={offered}
            value={products}
            onChange={(chosen) => setDraft((now) => ({ ...now, products: chosen }))}
          />
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
