import DefaultTheme from 'vitepress/theme'
import {h} from 'vue'
import Filter from './Filter.vue'

export default {extends: DefaultTheme, Layout: () => h(DefaultTheme.Layout, null, {'doc-before': () => h(Filter)})}
