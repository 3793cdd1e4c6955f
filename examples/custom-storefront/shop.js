import { isFailure, Keystall } from '@keystall/client'

// Open the page with ?api=http://localhost:8080&store=demo
const query = new URLSearchParams(location.search)
const keystall = new Keystall({ baseUrl: query.get('api') ?? 'http://localhost:8080' })
const shop = await keystall.viewStore({ storeUrl: query.get('store') ?? 'demo' })
const methods = await keystall.listPaymentMethods({ storeId: shop.id })
const form = document.getElementById('order')
const told = document.getElementById('told')

document.getElementById('name').textContent = shop.name
form.gateway.append(...methods.map(({ id, name }) => new Option(name, id)))
document.getElementById('products').append(...shop.products.map(productLine))

function productLine(product) {
  const line = document.createElement('li')
  const button = document.createElement('button')
  button.textContent = `${product.name}, ${product.cost} ${shop.preferredCurrency}`
  button.disabled = product.stock === 0 && !product.ignoreOutOfStock
  button.onclick = () => {
    form.dataset.productId = product.id
    document.getElementById('chosen').textContent = product.name
    form.hidden = false
    form.emailAddress.focus()
  }
  line.append(button)
  return line
}

form.onsubmit = async (event) => {
  event.preventDefault()
  const items = [{ productId: form.dataset.productId, quantity: 1 }]
  const { emailAddress, gateway } = form
  try {
    const [placed] = await keystall.checkOut({
      storeId: shop.id,
      body: { items, gateway: gateway.value, emailAddress: emailAddress.value, returnUrl: location.href },
    })
    // The order's page takes the payment and shows what was bought.
    location.href = placed.checkoutUrl
  } catch (error) {
    told.textContent = isFailure(error) ? error.message : 'The shop cannot be reached.'
  }
}
