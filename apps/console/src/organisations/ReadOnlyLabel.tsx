import type { Organisation } from '@pult/contract'
import { DataCard, FactList } from '@pult/ui'
import { texts } from './organisations.texts.ts'

/** The organisation as plain text, for members who may not change it. */
export function ReadOnlyLabel({ organisation: { label, ownerName } }: { organisation: Organisation }) {
  return (
    <DataCard
      title={texts.details}
      flush
      state={{ kind: 'read-only', text: texts.changedByOwner(ownerName) }}
    >
      <FactList
        facts={[
          [texts.label, label],
          [texts.owner, ownerName],
        ]}
      />
    </DataCard>
  )
}
