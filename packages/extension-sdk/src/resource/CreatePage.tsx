import { PageHead } from '@pult/ui'
import { useState } from 'react'
import { type Location, Navigate, useLocation } from 'react-router'
import { useNotify, usePageTitle } from '../hooks.ts'
import { BackLink } from './BackLink.tsx'
import { CreateForm } from './CreateForm.tsx'
import styles from './ResourcePage.module.css'
import { useResourceContext } from './resource-context.ts'
import type { Values } from './typed-fields.ts'

/** Renders the form for a new record. A duplicate provides its initial values. */
export function CreatePage() {
  const { view, calls } = useResourceContext()
  const { state } = useLocation() as Location<ReturnType<typeof withCopy> | null>
  const notify = useNotify()
  const [createdId, setCreatedId] = useState<string | null>(null)
  usePageTitle(view.texts.createTitle)
  // Back leads to the list: the form would make a second record.
  if (createdId !== null)
    return <Navigate to={`${view.path}/edit/${encodeURIComponent(createdId)}`} replace />

  const create = async (values: Values, idempotencyKey: string) => {
    const item = await calls.create(values, idempotencyKey)
    notify({ title: view.texts.created, tone: 'success' })
    setCreatedId(calls.idOf(item))
  }
  return (
    <div className={styles.page}>
      <BackLink />
      <PageHead level={2} title={view.texts.createTitle} />
      <CreateForm
        name={`${view.path} create`}
        empty={view.empty}
        initial={state?.copy}
        clean={view.clean}
        problemsOf={view.problemsOf}
        renderFields={view.renderFields}
        create={create}
      />
    </div>
  )
}

/** Returns the navigation state that contains the values of a duplicate. */
export const withCopy = (values: Values) => ({ copy: values })
