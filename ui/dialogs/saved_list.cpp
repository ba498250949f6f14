// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/saved_list.h"

#include "models/connection/connection_fields.h"
#include "models/connection/saved_connections.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QPainter>
#include <QSignalBlocker>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kColourDot = 3 * kGrid;
constexpr int kSavedNameChars = 80;
constexpr int kLines = 2;

} // namespace

QIcon environmentDot(sql::Environment environment, const QPalette &palette)
{
    QPixmap pixmap(QSize(kColourDot, kColourDot) * 2);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const std::optional<Token> token = tokenOf(environment);
    const QColor color = token ? themeColor(*token) : palette.color(QPalette::PlaceholderText);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(token ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QRectF(1, 1, kColourDot - 2, kColourDot - 2));
    painter.end();
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected); // the style would tint it away
    return icon;
}

SavedList::SavedList(models::SavedConnections *saved, QWidget *parent)
    : QListWidget(parent)
    , m_saved(saved)
{
    setObjectName(u"savedConnections"_s);
    setAccessibleName(tr("Saved connections"));
    setIconSize(QSize(kColourDot, kColourDot));
    setUniformItemSizes(true);
    setTextElideMode(Qt::ElideRight);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(saved, &models::SavedConnections::changed, this, &SavedList::reload);
    reload();
}

void SavedList::reload()
{
    const QString id = currentId();
    const QSignalBlocker blocker(this);
    clear();
    for (const models::SavedConnection &connection : m_saved->all()) {
        const QString name = models::displayText(connection.name, kSavedNameChars);
        const QString environment = models::environmentLabel(connection.environment);
        const QString where = models::conninfoSummary(connection.conninfo);
        auto *item = new QListWidgetItem(environmentDot(connection.environment, palette()),
            name + u'\n' + (environment.isEmpty() ? where : tr("%1, %2").arg(environment, where)), this);
        item->setSizeHint(QSize(0, kLines * fontMetrics().height() + 3 * kGrid));
        item->setData(Qt::UserRole, connection.id);
        item->setData(Qt::AccessibleTextRole, environment.isEmpty() ? name : tr("%1, %2").arg(name, environment));
    }
    select(id);
}

QString SavedList::currentId() const
{
    // Not currentItem(): while the selection changes it is still the one before.
    const QList<QListWidgetItem *> selected = selectedItems();
    return selected.isEmpty() ? QString() : selected.constFirst()->data(Qt::UserRole).toString();
}

void SavedList::select(const QString &id)
{
    for (int row = 0; row < count(); ++row) {
        if (item(row)->data(Qt::UserRole).toString() == id) {
            setCurrentRow(row);
            return;
        }
    }
    setCurrentRow(-1);
    clearSelection();
}

void SavedList::changeEvent(QEvent *event)
{
    QListWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_saved != nullptr) {
        reload();
    }
}

} // namespace idemdesk::ui
