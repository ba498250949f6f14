// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.h"

#include "ui/theme/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

using namespace Qt::StringLiterals;

// A static library's resources must be asked for by name, outside any namespace.
static void initIconResources()
{
    Q_INIT_RESOURCE(idemdesk_icons);
}

namespace idemdesk::ui {

namespace {

QString pathOf(const QString &name)
{
    [[maybe_unused]] static const bool once = (initIconResources(), true);
    return u":/idemdesk/icons/"_s + name + u".svg"_s;
}

class TintedEngine final : public QIconEngine
{
public:
    TintedEngine(QString name, std::optional<Token> token)
        : m_name(std::move(name))
        , m_token(token)
    {
    }

    QIconEngine *clone() const override { return new TintedEngine(m_name, m_token); }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device() != nullptr ? painter->device()->devicePixelRatio() : 1.0;
        painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize &size, QIcon::Mode mode, QIcon::State, qreal ratio) override
    {
        const QColor color
            = mode == QIcon::Disabled ? themeColor(Token::DisabledText) : themeColor(m_token.value_or(Token::Text));
        const QString key = u"idemdesk/%1/%2/%3x%4"_s.arg(m_name, color.name()).arg(size.width()).arg(size.height());
        QPixmap pixmap;
        if (!QPixmapCache::find(key, &pixmap)) {
            pixmap = QPixmap(size);
            pixmap.fill(Qt::transparent);
            QSvgRenderer renderer(pathOf(m_name));
            QPainter painter(&pixmap);
            renderer.render(&painter);
            painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
            painter.fillRect(pixmap.rect(), color);
            painter.end();
            QPixmapCache::insert(key, pixmap);
        }
        pixmap.setDevicePixelRatio(ratio);
        return pixmap;
    }

private:
    QString m_name;
    std::optional<Token> m_token;
};

} // namespace

QIcon themedIcon(const QString &name, std::optional<Token> token)
{
    return QFile::exists(pathOf(name)) ? QIcon(new TintedEngine(name, token)) : QIcon();
}

QIcon applicationIcon()
{
    // Drawn here: Qt itself reads SVG files only by a plugin, which Debian 13 has in a package of its own.
    QSvgRenderer renderer(pathOf(u"idemdesk"_s));
    QIcon icon;
    for (const int size : { 16, 24, 32, 48, 64, 128, 256 }) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace idemdesk::ui
