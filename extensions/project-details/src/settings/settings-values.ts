import type { BodyOf, Project, projectEndpoints } from '@pult/sdk/api'
import { texts } from '../project-details.texts.ts'

/** The form's flat view of a project. */
export type SettingsValues = {
  label: string
  org: string | null
  consoleColor: string
  customer: string
  projectId: string
  products: string[]
}

export const valuesOf = ({ label, org, products, meta, config }: Project): SettingsValues => ({
  label,
  org,
  consoleColor: config.consoleColor,
  customer: meta.customer,
  projectId: meta.projectId,
  products,
})

export const trimmed = (values: SettingsValues): SettingsValues => ({
  ...values,
  label: values.label.trim(),
  consoleColor: values.consoleColor.trim(),
  customer: values.customer.trim(),
  projectId: values.projectId.trim(),
})

export const isColor = (text: string): boolean => /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text.trim())

export const problemsOf = ({
  label,
  consoleColor,
}: SettingsValues): Partial<Record<keyof SettingsValues, string>> => ({
  // An empty label is silently not saved (PROJ-02).
  ...(label === '' && { label: '' }),
  ...(!isColor(consoleColor) && { consoleColor: texts.notAColor }),
})

/** The changes in the nested form that the server expects. */
export function bodyOf({
  consoleColor,
  customer,
  projectId,
  ...changes
}: Partial<SettingsValues>): BodyOf<typeof projectEndpoints.update> {
  const meta = { ...(customer !== undefined && { customer }), ...(projectId !== undefined && { projectId }) }
  return {
    ...changes,
    ...(Object.keys(meta).length > 0 && { meta }),
    ...(consoleColor !== undefined && { config: { consoleColor } }),
  }
}
