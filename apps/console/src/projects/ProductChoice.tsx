import { Alert, Awaited } from '@pult/ui'
import { useId } from 'react'
import styles from './ProductChoice.module.css'
import type { OfferedProducts } from './products.queries.ts'
import { texts } from './projects.texts.ts'

interface ProductChoiceProps {
  offered: OfferedProducts
  /** The skus of the chosen products. */
  value: readonly string[]
  onChange: (skus: string[]) => void
}

/** Chooses the products of a new project. */
export function ProductChoice({ offered: { data, error }, value, onChange }: ProductChoiceProps) {
  const id = useId()
  if (error !== null && data === undefined) {
    return (
      <div className={styles.choice}>
        <Alert tone="warning">{texts.productsFailed}</Alert>
      </div>
    )
  }
  const choose = (sku: string, isChosen: boolean) =>
    onChange(isChosen ? [...value, sku] : value.filter((each) => each !== sku))
  return (
    <fieldset className={styles.choice} aria-describedby={id}>
      <legend>{texts.products}</legend>
      <p id={id}>{texts.productsText}</p>
      {data === undefined && <Awaited height="42px" count={3} />}
      {data?.map(({ sku, label, description }) => (
        <label key={sku} className={styles.product} aria-label={label}>
          <input
            type="checkbox"
            name="products"
            value={sku}
            aria-describedby={`${id}-${sku}`}
            checked={value.includes(sku)}
            onChange={({ target }) => choose(sku, target.checked)}
          />
          <span>
            <strong>{label}</strong>
            <span id={`${id}-${sku}`}>{description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
