import { TagInput, TextField } from '@pult/ui'
import type { FormField, FormFields } from './form-fields.ts'
import type { ScaffoldTexts } from './resource.texts.ts'
import type { CompleteView, ResourceView } from './resource-view.ts'
import type { Values } from './typed-fields.ts'

/** Adds the defaults of a view. */
export function completeView(
  view: ResourceView,
  pathOf: (path: string) => string,
  texts: ScaffoldTexts,
): CompleteView {
  const { fieldLabels, empty } = view
  return {
    valuesOf: (item) => pick(item as Values, Object.keys(empty)),
    renderFields: (form) =>
      Object.entries(fieldLabels).map(([name, label]) => (
        <DefaultField key={name} label={label} field={form.field(name)} form={form} texts={texts} />
      )),
    ...view,
    path: pathOf(view.path),
    texts: { ...texts.ofResource, ...view.texts },
  }
}

interface DefaultFieldProps {
  label: string
  field: FormField<unknown>
  form: FormFields
  texts: ScaffoldTexts
}

function DefaultField({ label, field, form, texts }: DefaultFieldProps) {
  const { name, value, set, error, description, readOnly } = field
  if (Array.isArray(value)) {
    return (
      <TagInput
        {...{ label, name, error, description, readOnly }}
        tags={value as string[]}
        onChange={set}
        removeLabel={texts.removeTag}
      />
    )
  }
  return <TextField label={label} autoComplete="off" {...form.text(name as never)} />
}

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]))
