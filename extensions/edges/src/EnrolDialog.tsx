import { AppLink, useChange, useProject } from '@pult/sdk'
import { edgeEndpoints } from '@pult/sdk/api'
import { FormDialog, useFormFields } from '@pult/sdk/resource'
import { TextField } from '@pult/sdk/ui'
import { useState } from 'react'
import { CommandDialog, type NewCode } from './CommandDialog.tsx'
import styles from './edges.module.css'
import { edgeData } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { labelMissing } from './LabelDialog.tsx'

/** Creates an edge, then shows the command that starts its agent until the agent connects. */
export function EnrolDialog({ onClose }: { onClose: () => void }) {
  const { _id: projectId } = useProject()
  const fields = useFormFields({ name: null, saved: { values: { label: '' } }, problemsOf: labelMissing })
  const [made, setMade] = useState<NewCode | null>(null)
  const { mutateAsync } = useChange(
    edgeEndpoints.enrol,
    (label: string) => ({ params: { projectId }, body: { label } }),
    {
      touches: edgeData,
      onSuccess: ({ edge, code, expiresAt }) =>
        setMade({ edgeId: edge._id, label: edge.label, code, expiresAt }),
      gcTime: 0,
    },
  )
  if (made !== null) return <CommandDialog made={made} onClose={onClose} />
  return (
    <FormDialog
      title={texts.addTitle}
      submit={texts.add}
      pendingLabel={texts.adding}
      failed={texts.addFailed}
      fields={fields}
      save={() => mutateAsync(fields.values.label.trim())}
      onSaved={() => {}}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        autoFocus
        maxLength={200}
        {...fields.form.text('label')}
        description={texts.addHint}
      />
      <p className={styles.quiet}>
        {texts.manyHint} <AppLink to="keys">{texts.manyLink}</AppLink>
      </p>
    </FormDialog>
  )
}
