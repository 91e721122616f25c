import { isOfServer, typeInWords, useTaskTexts } from '@pult/sdk/task-list'
import { useQuery } from '@tanstack/react-query'
import { productsQuery } from '../projects/products.queries.ts'

/** Returns the kind of a task in words: the label in the manifest of its extension, or that of the server's own kinds. */
export function useTaskKind(type: string): string {
  const texts = useTaskTexts()
  const isServers = isOfServer(type, texts)
  const { data } = useQuery({ ...productsQuery, enabled: !isServers })
  if (isServers) return texts.ofServer[type]
  const kinds = data?.items.flatMap(({ tasks }) => tasks)
  return kinds?.find((kind) => kind.type === type)?.label ?? typeInWords(type)
}
