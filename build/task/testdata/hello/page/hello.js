document.querySelector('button').onclick = async () => {
  document.querySelector('output').textContent = await window.go.main.Greeter.Greet('you')
}
