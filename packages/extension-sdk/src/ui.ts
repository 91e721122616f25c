// The console's components, for extensions. Their styles are the console's, so that an app needs none of its own.
export * from '@pult/ui'
export { ListSearch, type ListSearchProps } from './ui/ListSearch.tsx'
export { type ListSearchOptions, type ListSearchState, useListSearch } from './ui/use-list-search.ts'
