import { SelectField } from '@pult/sdk/ui'
import { useProducts } from './accounts.queries.ts'
import { texts } from './accounts.texts.ts'

interface RoleSelectProps {
  /** Skus of the project's products. */
  products: readonly string[]
  value: string
  error: string | undefined
  onChange: (productRole: string) => void
}

/** Chooses a role of the project's products. */
export function RoleSelect({ products, value, error, onChange }: RoleSelectProps) {
  const offered = (useProducts().data ?? []).filter(
    ({ sku, roles }) => products.includes(sku) && roles.length > 0,
  )
  return (
    <SelectField
      label={texts.role}
      value={value}
      error={error}
      description={offered.length === 0 ? texts.noRolesThere : undefined}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="" disabled>
        {texts.chooseRole}
      </option>
      {value !== '' && !offered.some(({ roles }) => roles.some(({ id }) => id === value)) && (
        // The project no longer offers it. Without its option, another role would look chosen.
        <option value={value}>{value}</option>
      )}
      {offered.flatMap(({ label: product, roles }) =>
        roles.map(({ id, label }) => (
          // Includes the product, because the closed select shows only the chosen role.
          <option key={id} value={id}>
            {product}: {label}
          </option>
        )),
      )}
    </SelectField>
  )
}
