import * as contract from '@keystall/contract/endpoints/products'
import { arrangeStore } from '@keystall/contract/endpoints/stores'
import type { ProductReference } from '@keystall/contract/shapes/product-reference'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { arrange } from '../arranging.ts'
import { sendUpload } from '../upload.ts'

const keyOf = (storeId: string) => ['products', storeId]

/** All of them, with their stock, in the order shown. */
export const productsQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), 'all'],
    queryFn: async ({ signal }) => (await send(contract.listProductReferences, { path: { storeId }, signal })).data,
  })

export const productQuery = (storeId: string, productId: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), productId],
    queryFn: async () => (await send(contract.getProduct, { path: { storeId, productId } })).data,
  })

export function reloadProducts(storeId: string) {
  return queryClient.invalidateQueries({ queryKey: keyOf(storeId) })
}

export async function createProduct(storeId: string, body: contract.ProductForm) {
  const { data } = await send(contract.createProduct, { path: { storeId }, body })
  queryClient.setQueryData(productQuery(storeId, data.id).queryKey, data)
  await queryClient.invalidateQueries({ queryKey: productsQuery(storeId).queryKey })
  return data
}

export interface ProductPath {
  storeId: string
  productId: string
}

export const updateProduct = (path: ProductPath, body: contract.ProductForm) =>
  send(contract.updateProduct, { path, body })

export const setFee = (path: ProductPath, body: contract.FeeForm) => send(contract.setProductFee, { path, body })

export async function duplicateProduct(path: ProductPath) {
  const { data } = await send(contract.duplicateProduct, { path })
  await reloadProducts(path.storeId)
  return data
}

export async function deleteProduct(path: ProductPath) {
  await send(contract.deleteProduct, { path })
  queryClient.removeQueries({ queryKey: productQuery(path.storeId, path.productId).queryKey })
  await queryClient.invalidateQueries({ queryKey: productsQuery(path.storeId).queryKey })
}

export async function restoreProduct({ storeId, productId }: ProductPath) {
  await send(contract.restoreProduct, { path: { storeId }, body: { productId } })
  await reloadProducts(storeId)
}

export function arrangeProducts(storeId: string, products: readonly ProductReference[]) {
  const body = products.map(({ id }, order) => ({ id, isGroup: false, order }))
  const arranged = products.map((product, order) => ({ ...product, order }))
  return arrange(productsQuery(storeId), arranged, () => send(arrangeStore, { path: { storeId }, body }))
}

export async function addImage(path: ProductPath, file: File, onProgress: (bytes: number) => void) {
  const { data } = await sendUpload(contract.addProductImage, {
    path: { ...path },
    file,
    fileName: file.name,
    onProgress,
  })
  queryClient.setQueryData(productQuery(path.storeId, path.productId).queryKey, data)
}

export async function removeImage(path: ProductPath, fileName: string) {
  await send(contract.removeProductImage, { path: { ...path, fileName } })
  await reloadProducts(path.storeId)
}

export function arrangeImages(path: ProductPath, imageNames: readonly string[]) {
  const query = productQuery(path.storeId, path.productId)
  const product = queryClient.getQueryData(query.queryKey)
  const body = { imageNames: [...imageNames] }
  return arrange(query, product && { ...product, ...body }, () => send(contract.arrangeProductImages, { path, body }))
}

export async function removeFile(path: ProductPath, fileId: string) {
  const { data } = await send(contract.removeProductFile, { path: { ...path, fileId } })
  queryClient.setQueryData(productQuery(path.storeId, path.productId).queryKey, data)
  await queryClient.invalidateQueries({ queryKey: productsQuery(path.storeId).queryKey })
}
