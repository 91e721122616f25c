import type { Project } from '@pult/sdk/api'
import { type FormField, Waiting } from '@pult/sdk/resource'
import { useId } from 'react'
import { useProducts } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './Settings.module.css'

interface ProductsFieldProps {
  field: FormField<string[]>
  project: Project
}

/** Chooses the project's products among the installed ones. */
export function ProductsField({ field, project: { products: used, grants } }: ProductsFieldProps) {
  const { data: installed, error, refetch } = useProducts()
  const id = useId()
  if (installed === undefined)
    return <Waiting failed={texts.productsFailed} error={error} onRetry={() => void refetch()} />

  const labels = new Map(installed.map(({ sku, label }) => [sku, label]))
  // Keeps the order, so that a product selected again counts as unchanged.
  const all = [...new Set([...used, ...labels.keys()])]
  const choose = (sku: string, isUsed: boolean) =>
    field.set(all.filter((each) => (each === sku ? isUsed : field.value.includes(each))))
  const losers = new Set(
    grants
      .filter(({ productRole }) => productRole !== null && isLost(productRole, used, field.value))
      .map(({ user }) => user),
  )
  return (
    <fieldset className={styles.products} aria-describedby={id}>
      <legend className={styles.legend}>{texts.products}</legend>
      {all.map((sku) => (
        <label key={sku} className={styles.product}>
          <input
            type="checkbox"
            name={field.name}
            checked={field.value.includes(sku)}
            onChange={({ target }) => choose(sku, target.checked)}
          />
          <span>{labels.get(sku) ?? sku}</span>
          <span className={styles.quiet}>{labels.has(sku) ? sku : texts.notInstalled}</span>
        </label>
      ))}
      <div id={id} className={styles.note} data-warning={losers.size > 0 || undefined}>
        {field.description || (losers.size > 0 ? texts.rolesLost(losers.size) : texts.productsText)}
      </div>
    </fieldset>
  )
}

/** A role is valid while the project uses its product. */
function isLost(productRole: string, before: readonly string[], after: readonly string[]): boolean {
  const [sku = ''] = productRole.split('/')
  return before.includes(sku) && !after.includes(sku)
}
