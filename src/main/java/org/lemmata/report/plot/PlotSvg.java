package org.lemmata.report.plot;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.jetbrains.letsPlot.commons.geometry.DoubleVector;
import org.jetbrains.letsPlot.core.util.PlotSvgExportCommon;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * A plot's specification to an SVG element that can stand in the page: colours are the page's CSS variables, so that
 * one picture serves light and dark; no ids, so that many can share a page; equal input gives equal bytes.
 */
public final class PlotSvg {

    /** What lets-plot is told to draw in, after Okabe and Ito (2008); the page draws in {@code var(--series-1)} etc. */
    public static final List<String> SERIES = List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#333333");

    public static final String INK = "#474747";

    private static final Map<String, String> VARIABLES = variables();
    private static final Pattern RGB = Pattern.compile("rgb\\((\\d+),\\s*(\\d+),\\s*(\\d+)\\)");
    private static final Pattern LONG_FRACTION = Pattern.compile("-?\\d+\\.\\d+(?:[eE][-+]?\\d+)?");
    private static final Pattern SAME_POINT = Pattern.compile("M(\\S+ \\S+) L\\1(?= L)");
    private static final Set<String> COLOURED = Set.of("fill", "stroke");
    private static final Set<String> PLACE = Set.of("cx", "cy", "r", "transform");
    private static final Set<String> PLACES = Set.of("d", "x1", "x2", "y1", "y2");
    private static final Set<String> DROPPED = Set.of("style", "defs");

    /** What a browser takes where nothing is said, and what it does not know. */
    private static final Pattern SILENT =
            Pattern.compile("(stroke|fill)-opacity=1|stroke-width=1|fill-rule=.*|clip-bounds-jfx=.*|class=axis-.*");

    private static final List<String> PAGE_DECIDES = List.of("fill:", "font");
    private static final String BACKGROUND = "#ffffff";

    private PlotSvg() {}

    /**
     * Draws {@code specification}, a lets-plot plot, at {@code height} CSS pixels.
     *
     * @param label what the plot shows, for those who do not see it
     * @param readings what each {@linkplain PlotSpec#targets target} tells
     */
    public static String draw(Map<String, Object> specification, int height, String label, List<String> readings) {
        String svg = PlotSvgExportCommon.INSTANCE.buildSvgImageFromRawSpecs(
                specification,
                new DoubleVector(PlotSpec.WIDTH, height),
                (w, h, pixels) -> {
                    throw new IllegalStateException("a plot of the report holds no bitmap");
                },
                false);
        try {
            Document document = parse(svg);
            Element root = document.getDocumentElement();
            clean(root, readings);
            for (String name : List.of("class", "width", "height", "xmlns:xlink")) {
                root.removeAttribute(name);
            }
            root.setAttribute("viewBox", "0 0 " + PlotSpec.WIDTH + " " + height);
            root.setAttribute("role", "img");
            root.setAttribute("aria-label", label);
            return text(root);
        } catch (ParserConfigurationException | SAXException | IOException | TransformerException e) {
            throw new IllegalStateException("plot \"" + label + "\": expected SVG from the plotting library", e);
        }
    }

    private static void clean(Element element, List<String> readings) {
        if (element.getTagName().equals("circle")) {
            OptionalInt target = PlotSpec.target(hex(element.getAttribute("fill")));
            if (target.isPresent()) {
                makeTarget(element, readings.get(target.getAsInt()));
                return;
            }
        }
        element.removeAttribute("id");
        // Refers to an id; nothing is drawn outside the panel, whose limits come from the data.
        element.removeAttribute("clip-path");
        NamedNodeMap attributes = element.getAttributes();
        var style = new ArrayList<String>();
        for (int i = attributes.getLength() - 1; i >= 0; i--) {
            Node attribute = attributes.item(i);
            String name = attribute.getNodeName();
            if (COLOURED.contains(name)) {
                String colour = hex(attribute.getNodeValue());
                String variable = VARIABLES.get(colour);
                if (colour.equals(BACKGROUND)) {
                    attribute.setNodeValue("none");
                } else if (variable != null) {
                    element.removeAttribute(name);
                    style.add(name + ":var(" + variable + ")");
                }
            } else if (name.equals("style")) {
                style.addAll(kept(attribute.getNodeValue()));
            } else if (!name.startsWith("xmlns")) {
                attribute.setNodeValue(shortened(attribute.getNodeValue()));
                if (SILENT.matcher(name + "=" + attribute.getNodeValue()).matches()) {
                    element.removeAttribute(name);
                }
            }
        }
        if (element.getAttribute("stroke-width").equals("0")) {
            style.removeIf(declaration -> declaration.startsWith("stroke:"));
            List.of("stroke", "stroke-opacity", "stroke-width").forEach(element::removeAttribute);
        }
        if (!style.isEmpty()) {
            style.sort(null);
            element.setAttribute("style", String.join(";", style));
        } else {
            element.removeAttribute("style");
        }
        for (Node child = element.getFirstChild(); child != null; ) {
            Node next = child.getNextSibling();
            if (child instanceof Element inner && !DROPPED.contains(inner.getTagName())) {
                clean(inner, readings);
                if (inner.getTagName().equals("path") && !inner.hasAttribute("style")) {
                    // The ground, which is the page's.
                    element.removeChild(inner);
                }
            } else if (child.getNodeType() == Node.TEXT_NODE
                    && !child.getNodeValue().isBlank()) {
                child.setNodeValue(child.getNodeValue().strip());
            } else {
                element.removeChild(child);
            }
            child = next;
        }
        join(element);
    }

    /** Marks that differ in their places alone become one path. */
    private static void join(Element parent) {
        Element last = null;
        for (Node child = parent.getFirstChild(); child != null; ) {
            Node next = child.getNextSibling();
            Element path = child instanceof Element element ? path(element) : null;
            if (path != null && last != null && styles(path).equals(styles(last))) {
                last.setAttribute("d", last.getAttribute("d") + path.getAttribute("d"));
                parent.removeChild(child);
            } else {
                last = path;
                if (path != null) {
                    parent.replaceChild(path, child);
                }
            }
            child = next;
        }
    }

    /** A path, or a line as one; null of anything else. */
    private static @Nullable Element path(Element element) {
        if (element.getTagName().equals("path")) {
            return element;
        }
        if (!element.getTagName().equals("line")) {
            return null;
        }
        Element path = element.getOwnerDocument().createElement("path");
        styles(element).forEach(path::setAttribute);
        path.removeAttribute("fill");
        path.setAttribute(
                "d",
                "M" + element.getAttribute("x1") + " " + element.getAttribute("y1") + "L" + element.getAttribute("x2")
                        + " " + element.getAttribute("y2"));
        return path;
    }

    /** All but the place. */
    private static Map<String, String> styles(Element element) {
        var styles = new HashMap<String, String>();
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            styles.put(attributes.item(i).getNodeName(), attributes.item(i).getNodeValue());
        }
        PLACES.forEach(styles::remove);
        return styles;
    }

    /** A disc that is not drawn: it takes the pointer, and tells what the mark below it stands for. */
    private static void makeTarget(Element circle, String reading) {
        NamedNodeMap attributes = circle.getAttributes();
        for (int i = attributes.getLength() - 1; i >= 0; i--) {
            Node attribute = attributes.item(i);
            if (PLACE.contains(attribute.getNodeName())) {
                attribute.setNodeValue(shortened(attribute.getNodeValue()));
            } else {
                circle.removeAttribute(attribute.getNodeName());
            }
        }
        circle.setAttribute("class", "target");
        circle.appendChild(circle.getOwnerDocument().createElement("title")).setTextContent(reading);
    }

    /** The declarations of a label's own style, less its colour and font, which are the page's. */
    private static List<String> kept(String style) {
        return Arrays.stream(style.split(";"))
                .map(String::strip)
                .filter(declaration -> !declaration.isEmpty())
                .filter(declaration -> PAGE_DECIDES.stream().noneMatch(declaration::startsWith))
                .toList();
    }

    /** Coordinates to a tenth of a pixel, none twice, and no space that says nothing. */
    private static String shortened(String value) {
        Matcher matcher = LONG_FRACTION.matcher(value);
        String rounded = matcher.replaceAll(number -> {
            BigDecimal tenths = new BigDecimal(number.group())
                    .setScale(1, RoundingMode.HALF_EVEN)
                    .stripTrailingZeros();
            return tenths.signum() == 0 ? "0" : tenths.toPlainString();
        });
        return SAME_POINT
                .matcher(rounded)
                .replaceAll("M$1")
                .replace(" L", "L")
                .replace(" )", ")")
                .strip();
    }

    private static String hex(String colour) {
        Matcher matcher = RGB.matcher(colour);
        if (!matcher.matches()) {
            return colour;
        }
        byte[] channels = new byte[3];
        for (int i = 0; i < channels.length; i++) {
            channels[i] = (byte) Integer.parseInt(matcher.group(i + 1));
        }
        return "#" + HexFormat.of().formatHex(channels);
    }

    private static Map<String, String> variables() {
        var variables = new HashMap<String, String>();
        for (int i = 0; i < SERIES.size(); i++) {
            variables.put(SERIES.get(i), "--series-" + (i + 1));
        }
        variables.put(INK, "--ink-soft");
        // The theme "minimal" draws its grid in this.
        variables.put("#e9e9e9", "--grid");
        return Map.copyOf(variables);
    }

    private static Document parse(String svg) throws ParserConfigurationException, SAXException, IOException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static String text(Element root) throws TransformerException {
        var transformer = TransformerFactory.newInstance().newTransformer();
        transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        var writer = new StringWriter();
        transformer.transform(new DOMSource(root), new StreamResult(writer));
        return writer.toString();
    }
}
