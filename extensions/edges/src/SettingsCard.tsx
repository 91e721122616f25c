import { useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { Button, Card, SelectField } from '@pult/sdk/ui'
import { useState } from 'react'
import styles from './edges.module.css'
import { useUpdateEdge } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { LabelDialog } from './LabelDialog.tsx'

const choices = [1, 2, 5, 10, 15, 30, 60, 240, 1440]

/** The settings that users can change. */
export function SettingsCard({ edge }: { edge: Edge }) {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const [isRenaming, setRenaming] = useState(false)
  const params = { projectId, edgeId: edge._id }
  const { mutateAsync, isPending, variables } = useUpdateEdge(edge._id)
  const shown = isPending ? (variables.alertAfter ?? null) : edge.alertAfter
  const change = async (alertAfter: number | null) => {
    try {
      await mutateAsync({ alertAfter, revision: edge.revision })
      notify({ title: texts.saved, tone: 'success' })
    } catch (error) {
      notify({ title: texts.saveFailed, error })
    }
  }
  const minutes = shown === null || choices.includes(shown) ? choices : [...choices, shown]
  return (
    <Card tabIndex={-1} title={texts.settings} flush>
      <div className={styles.setting}>
        <SelectField
          label={texts.alertAfter}
          description={texts.alertHint}
          value={shown ?? ''}
          onChange={({ target }) => void change(target.value === '' ? null : Number(target.value))}
        >
          <option value="">{texts.alertNever}</option>
          {minutes.map((each) => (
            <option key={each} value={each}>
              {texts.alertMinutes(each)}
            </option>
          ))}
        </SelectField>
        <Button onClick={() => setRenaming(true)}>{texts.renameOf(edge.label)}</Button>
      </div>
      {isRenaming && (
        <LabelDialog
          title={texts.renameOf(edge.label)}
          label={edge.label}
          action={texts.save}
          failed={texts.saveFailed}
          endpoint={edgeEndpoints.update}
          inputOf={(label) => ({ params, body: { label }, revision: edge.revision })}
          onClose={() => setRenaming(false)}
        />
      )}
    </Card>
  )
}
