import { useRefreshProject } from '@pult/sdk'
import { limits, type Project, projectEndpoints } from '@pult/sdk/api'
import { EditForm } from '@pult/sdk/resource'
import { TextField } from '@pult/sdk/ui'
import { useOrganisationChoices, useUpdateProject } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import { ColorField } from './ColorField.tsx'
import { OrganisationField } from './OrganisationField.tsx'
import { ProductsField } from './ProductsField.tsx'
import styles from './Settings.module.css'
import { problemsOf, trimmed, valuesOf } from './settings-values.ts'

const fieldLabels = {
  label: texts.label,
  org: texts.organization,
  consoleColor: texts.color,
  customer: texts.customer,
  projectId: texts.reference,
  products: texts.products,
}

export function SettingsForm({ project }: { project: Project }) {
  const { mutateAsync: update } = useUpdateProject()
  const refresh = useRefreshProject()
  const { data: organisations } = useOrganisationChoices('')
  const textOf = (value: unknown) => {
    if (Array.isArray(value)) return value.join(', ') || texts.noProducts
    if (typeof value !== 'string') return texts.noOrganization
    return organisations?.items.find(({ _id }) => _id === value)?.label ?? value
  }
  return (
    <EditForm
      name={`project ${project._id}`}
      item={project}
      valuesOf={valuesOf}
      clean={trimmed}
      problemsOf={problemsOf}
      fieldLabels={fieldLabels}
      textOf={textOf}
      renderFields={(form) => (
        <>
          <TextField
            label={texts.label}
            autoComplete="off"
            maxLength={limits.labelMax}
            {...form.text('label')}
          />
          <OrganisationField field={form.field('org')} project={project} />
          <ColorField field={form.field('consoleColor')} label={form.field('label').value} />
          <div className={styles.pair}>
            <TextField
              label={texts.customer}
              autoComplete="off"
              maxLength={limits.labelMax}
              {...form.text('customer')}
            />
            <TextField
              label={texts.reference}
              autoComplete="off"
              maxLength={limits.labelMax}
              {...form.text('projectId')}
            />
          </div>
          <ProductsField field={form.field('products')} project={project} />
        </>
      )}
      update={projectEndpoints.update}
      save={(changes, revision) => update({ changes, revision })}
      onNewer={() => void refresh()}
      saved={texts.saved}
      savingFailed={texts.savingFailed}
    />
  )
}
