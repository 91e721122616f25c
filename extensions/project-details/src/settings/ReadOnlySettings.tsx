import type { Project } from '@pult/sdk/api'
import { DataCard, type Fact, FactList } from '@pult/sdk/ui'
import { useProducts } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'

/** The settings as plain text, for users who may not change them. */
export function ReadOnlySettings({ project }: { project: Project }) {
  const { label, org, orgLabel, ownerName, meta, config, products } = project
  const { data: installed = [] } = useProducts()
  const labels = products.map((sku) => installed.find((product) => product.sku === sku)?.label ?? sku)
  const facts: Fact[] = [
    [texts.label, label],
    [texts.organization, org === null ? texts.private : orgLabel],
    [texts.color, config.consoleColor],
    [texts.customer, meta.customer || texts.none],
    [texts.reference, meta.projectId || texts.none],
    [texts.products, labels.join(', ') || texts.noProducts],
  ]
  return (
    <DataCard
      title={texts.settings}
      flush
      state={{ kind: 'read-only', text: texts.changedByOwner(ownerName) }}
    >
      <FactList facts={facts} />
    </DataCard>
  )
}
