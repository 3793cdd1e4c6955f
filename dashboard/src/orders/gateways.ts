import { isPaymentMethod, paymentMethodIds, paymentMethods } from '@keystall/contract/payment-methods'

export const gatewayName = (id: string) => (isPaymentMethod(id) ? paymentMethods[id] : id)

export const gatewayOptions = paymentMethodIds.map((value) => ({ value, label: gatewayName(value) }))
