import type { Project } from '@pult/sdk/api'
import { Card, CopyButton, contrastText, initialOf, VisuallyHidden } from '@pult/sdk/ui'
import type { CSSProperties, ReactNode } from 'react'
import { Instant } from '../Instant.tsx'
import { useProducts } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import styles from './Overview.module.css'

export function FactsCard({ project }: { project: Project }) {
  const { _id, label, org, orgLabel, owner, ownerName, meta, config, access, grants } = project
  const color = config.consoleColor
  const colors = { '--project': color, '--on-project': contrastText(color) } as CSSProperties
  const roles = grants.flatMap(({ productRole }) => productRole ?? [])
  return (
    <Card
      flush
      style={colors}
      title={
        <span className={styles.head}>
          <span className={styles.tile} aria-hidden="true">
            {initialOf(label)}
          </span>
          <span className={styles.title}>
            {label}
            <span className={styles.access}>
              {texts.accessAs[access]}
              {access === 'grant' && roles.length > 0 && ` (${roles.join(', ')})`}
            </span>
          </span>
        </span>
      }
    >
      <dl className={styles.facts}>
        <Fact name={texts.organization}>{org === null ? texts.private : orgLabel}</Fact>
        <Fact name={texts.owner}>{ownerName}</Fact>
        <Fact name={texts.customer}>{meta.customer || texts.none}</Fact>
        <Fact name={texts.reference}>{meta.projectId || texts.none}</Fact>
        <Fact name={texts.products}>
          <ProductList skus={project.products} />
        </Fact>
        <Fact name={texts.color}>
          <span className={styles.color}>
            <span className={styles.swatch} aria-hidden="true" />
            <code>{color}</code>
          </span>
        </Fact>
        <Fact name={texts.projectId}>
          <Id name={texts.projectId} id={_id} />
        </Fact>
        {org !== null && (
          <Fact name={texts.organizationId}>
            <Id name={texts.organizationId} id={org} />
          </Fact>
        )}
        <Fact name={texts.ownerId}>
          <Id name={texts.ownerId} id={owner} />
        </Fact>
        <Fact name={texts.created}>
          <Instant iso={project.createdAt} />
        </Fact>
        <Fact name={texts.changed}>
          <Instant iso={project.updatedAt} />{' '}
          {project.updatedBy && texts.by(`${project.updatedBy.firstname} ${project.updatedBy.lastname}`)}
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Id({ name, id }: { name: string; id: string }) {
  return (
    <span className={styles.id}>
      <code>{id}</code>
      <CopyButton variant="ghost" text={id} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
        <span>
          {texts.copy} <VisuallyHidden>{name}</VisuallyHidden>
        </span>
      </CopyButton>
    </span>
  )
}

/** Shows the products by label once the labels have loaded. A product without an extension shows only its sku. */
function ProductList({ skus }: { skus: readonly string[] }) {
  const { data: products } = useProducts()
  if (skus.length === 0) return <span className={styles.muted}>{texts.noProducts}</span>
  return (
    <ul className={styles.products}>
      {skus.map((sku) => {
        const product = products?.find((one) => one.sku === sku)
        return (
          <li key={sku}>
            {product?.label ?? sku}
            <span className={styles.muted}>
              {product && ` ${sku}`}
              {products && !product && ` (${texts.notInstalled})`}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
