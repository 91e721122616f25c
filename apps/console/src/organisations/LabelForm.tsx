import { limits, type Organisation, organisationEndpoints } from '@pult/contract'
import { EditForm } from '@pult/sdk/resource'
import { TextField } from '@pult/ui'
import { DeleteOrganisation } from './DeleteOrganisation.tsx'
import { showOrganisation, useUpdateOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

interface LabelFormProps {
  organisation: Organisation
  onDeleted: () => void
}

export function LabelForm({ organisation, onDeleted }: LabelFormProps) {
  const { mutateAsync: update } = useUpdateOrganisation(organisation._id)
  return (
    <EditForm
      name={`organisation ${organisation._id}`}
      item={organisation}
      valuesOf={({ label }) => ({ label })}
      clean={({ label }) => ({ label: label.trim() })}
      // An empty label is silently not saved (ORG-02).
      problemsOf={({ label }) => (label === '' ? { label: '' } : {})}
      fieldLabels={{ label: texts.label }}
      renderFields={({ text }) => (
        <TextField label={texts.label} autoComplete="off" maxLength={limits.labelMax} {...text('label')} />
      )}
      update={organisationEndpoints.update}
      save={(changes, revision) => update({ changes, revision })}
      onNewer={showOrganisation}
      saved={texts.saved}
      savingFailed={texts.savingFailed}
      renderActions={() => <DeleteOrganisation organisation={organisation} onDeleted={onDeleted} />}
    />
  )
}
