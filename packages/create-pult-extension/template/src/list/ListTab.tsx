import { useNotify } from '@pult/sdk'
import { Alert, Button, Card, EmptyState, Skeleton, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import { useItems } from './items.ts'
import styles from './ListTab.module.css'

/** A list that everybody with this tab shares in the project. */
export function ListTab() {
  const { items, error, add, remove } = useItems()
  const [label, setLabel] = useState('')
  const notify = useNotify()

  async function change(work: Promise<void>) {
    try {
      await work
    } catch (failure) {
      notify({ title: 'This was not kept', text: String(failure), tone: 'danger' })
    }
  }
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (label.trim() === '') return
    setLabel('')
    await change(add(label.trim()))
  }

  return (
    <Card title="List">
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <TextField label="New item" value={label} onChange={({ target }) => setLabel(target.value)} />
        <Button type="submit" variant="primary">
          Add
        </Button>
      </form>
      {error !== null && (
        <Alert tone="danger" title="The list could not be read">
          {error.message}
        </Alert>
      )}
      {items === undefined && error === null && <Skeleton />}
      {items?.length === 0 && (
        <EmptyState level={3} title="Nothing yet" text="What you add is here for everybody." />
      )}
      {items !== undefined && items.length > 0 && (
        <ul className={styles.items}>
          {items.map((item) => (
            <li key={item.key} className={styles.item}>
              {item.label}
              <Button
                variant="ghost"
                aria-label={`Remove ${item.label}`}
                onClick={() => void change(remove(item.key))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
